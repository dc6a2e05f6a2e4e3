import BridgeCore
import Today

/// A call as rules see it: by its names, and with what its `where` is compared with.
struct RuledCall {
  /// The names that a rule may have for the call, such as `today.headers` and `today.message`.
  let names: [String]
  /// What the call says: the data of a request, the message to Today, the content of a sheet. Read only when a rule asks for it.
  let data: () -> JSONValue

  /// A flow or a sheet.
  init(_ name: String, data: @autoclosure @escaping () -> JSONValue) {
    names = [name]
    self.data = data
  }

  /// The request of a page.
  init(_ request: BridgePayload) {
    guard request.action == TodayBridge.action else {
      names = [request.action]
      data = { .object(request.data ?? [:]) }
      return
    }
    let message = request.data?["value"] ?? .null
    names = message["type"]?.stringValue.map { ["today.\($0)", TodayBridge.action] } ?? [TodayBridge.action]
    data = { message }
  }
}

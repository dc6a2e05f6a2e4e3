public import BridgeCore

/// A call as rules see it: by its names, and with what its `where` is compared with.
public struct RuledCall {
  /// The names that a rule may have for the call, such as `today.headers` and `today.message`.
  let names: [String]
  /// What the call says: the data of a request, the message to Today, the content of a sheet. Read only when a rule asks for it.
  let data: () -> JSONValue

  /// A call that rules may name in several ways.
  public init(names: [String], data: @escaping () -> JSONValue) {
    self.names = names
    self.data = data
  }

  /// A call that has one name.
  public init(_ name: String, data: @autoclosure @escaping () -> JSONValue) {
    self.init(names: [name], data: data)
  }

  /// A page's request, by its action and its data.
  public init(_ request: BridgePayload) {
    self.init(request.action, data: .object(request.data ?? [:]))
  }
}

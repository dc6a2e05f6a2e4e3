public import BridgeCore

/// A call as rules see it: its names, and the data that `where` is compared with.
public struct RuledCall {
  /// The names that a rule can use for the call, such as `today.headers` and `today.message`.
  let names: [String]
  /// The data of the call: of a request, of the message to Today, or of a sheet. Read only if a rule needs it.
  let data: () -> JSONValue

  /// A call with several names.
  public init(names: [String], data: @escaping () -> JSONValue) {
    self.names = names
    self.data = data
  }

  /// A call with one name.
  public init(_ name: String, data: @autoclosure @escaping () -> JSONValue) {
    self.init(names: [name], data: data)
  }

  /// A page's request, by its action and its data.
  public init(_ request: BridgePayload) {
    self.init(request.action, data: .object(request.data ?? [:]))
  }
}

public import BridgeCore

/// A call as rules see it: its names, and the data for the pattern `where`.
public struct RuledCall {
  /// The names by which rules can refer to the call, such as `today.headers` and `today.message`.
  let names: [String]
  /// Returns the data of the request, of the message to Today, or of the sheet. Called only if a rule needs it.
  let data: () -> JSONValue

  /// Creates a call with several names.
  public init(names: [String], data: @escaping () -> JSONValue) {
    self.names = names
    self.data = data
  }

  /// Creates a call with one name.
  public init(_ name: String, data: @autoclosure @escaping () -> JSONValue) {
    self.init(names: [name], data: data)
  }

  /// Creates a call from a page's request.
  public init(_ request: BridgePayload) {
    self.init(request.action, data: .object(request.data ?? [:]))
  }
}

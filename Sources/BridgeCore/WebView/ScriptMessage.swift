/// What a page has posted to a channel: the stand-in for `WKScriptMessage`.
public struct ScriptMessage: Sendable, Hashable {
  /// The channel's name.
  public let name: String
  /// What was posted.
  public let body: JSONValue

  /// Creates a message.
  public init(name: String, body: JSONValue) {
    self.name = name
    self.body = body
  }
}

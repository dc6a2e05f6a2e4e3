public import BridgeCore

/// A bridge's part of the script that pages load.
public struct ShimPart: Sendable {
  /// A message handler in `webkit.messageHandlers`.
  public struct Channel: Sendable, Hashable {
    /// The name in `webkit.messageHandlers`.
    public let name: String
    /// The action of the requests that carry its messages as `{value}`; nil for messages that are envelopes themselves.
    public let action: String?
    /// Whether the page gets the answer's `value`. If not, the promise resolves with `undefined`.
    public let reply: Bool

    /// Creates a channel.
    public init(_ name: String, action: String?, reply: Bool = true) {
      self.name = name
      self.action = action
      self.reply = reply
    }
  }

  /// The message handlers.
  public var channels: [Channel]
  /// Members of the shim's configuration.
  public var configuration: [String: JSONValue]
  /// JavaScript that runs in each document before its own scripts: the body of a function with the parameter `footbridge`.
  public var script: String?
  /// The files of `web/bridges/` that are part of the shim while the bridge is switched on. Bridges can share a file.
  package var files: [String] = []

  /// Creates a part.
  public init(channels: [Channel] = [], configuration: [String: JSONValue] = [:], script: String? = nil) {
    self.channels = channels
    self.configuration = configuration
    self.script = script
  }
}

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
    /// Whether requests say if the page has made another one, and has got no answer since: the member `again` of their data.
    public let marksTurns: Bool

    /// Creates a channel.
    public init(_ name: String, action: String?, reply: Bool = true, marksTurns: Bool = false) {
      self.name = name
      self.action = action
      self.reply = reply
      self.marksTurns = marksTurns
    }
  }

  /// The variants of a bridge with several contracts.
  public struct Variant: Sendable, Hashable {
    /// The member of the shim's configuration that has the variant.
    public let member: String
    /// The variant in a session without one of its own.
    public let usual: String

    /// Creates the variants.
    public init(member: String, usual: String) {
      self.member = member
      self.usual = usual
    }
  }

  /// The message handlers.
  public var channels: [Channel]
  /// Members of the shim's configuration.
  public var configuration: [String: JSONValue]
  /// The variants of its contract; nil for a bridge with one.
  public var variant: Variant?
  /// The text that the native app adds to the browser's user agent; nil for none.
  public var userAgent: String?
  /// The version of the app in the answer to `capability.query`; nil for that of the server.
  public var hostVersion: String?
  /// JavaScript that runs in each document before its own scripts: the body of a function with the parameter `footbridge`.
  public var script: String?
  /// Whether its script in the page can take navigations as messages.
  package var takesNavigations = false
  /// The files of `web/bridges/` that are part of the shim while the bridge is switched on, with all that they import. Bridges can share a file.
  package var files: [String] = []
  /// The files of `web/bridges/` that the site's workers begin with, with all that they import.
  package var workerFiles: [String] = []
  /// Members of the configuration that these get. Lists of several bridges are joined.
  package var workerConfiguration: [String: JSONValue] = [:]
  /// The files of `web/bridges/` that are part of the linter's script while the bridge is switched on, with all that they import.
  package var lintFiles: [String] = []

  /// Creates a part.
  public init(channels: [Channel] = [], configuration: [String: JSONValue] = [:], script: String? = nil) {
    self.channels = channels
    self.configuration = configuration
    self.script = script
  }

  /// The variant in a session without one of its own; empty for a bridge with one shim.
  package var usualVariant: String { variant?.usual ?? "" }

  /// The part in a session with this variant.
  package func with(variant: String) -> ShimPart {
    guard let member = self.variant?.member else { return self }
    var part = self
    part.configuration[member] = .string(variant)
    return part
  }
}

public import BridgeCore
import BridgeRuntime

/// The definition of a bridge: of one contract between pages and their native host.
///
/// The definition describes the bridge to the server. ``start(_:)`` returns a closure that creates a ``SessionBridge`` for each session,
/// which creates a ``PageBridge`` for each page. A program registers bridges in `FootbridgeOptions.bridges`. Nothing else in the server
/// names them.
///
///     struct Doorbell: BridgeDefinition {
///       let name = "doorbell"
///       func shim(_ variant: String, _ platform: Platform) -> ShimPart {
///         ShimPart(channels: [ShimPart.Channel("doorbell", action: "doorbell.message")])
///       }
///       func start(_ server: ServerContext) -> BridgeSessionMaker { { DoorbellSession($0) } }
///     }
///     options.bridges.register(Doorbell())
public protocol BridgeDefinition: Sendable {
  /// The bridge's name: its section of `footbridge.yaml` and the prefix of its actions. Letters and digits.
  var name: String { get }

  /// Whether the bridge is switched on. If not, it does not exist for pages, rules and sessions.
  var isEnabled: Bool { get }

  /// Who creates its messages, and what they contain. By default the shim creates them; their actions begin with the bridge's name and a
  /// dot. One bridge may let its pages create the messages themselves. It gets every action that no other bridge has.
  var messages: BridgeMessageTraits { get }

  /// The names of members whose values the journal removes, in lower case and without dashes and underscores. Names that end like secrets
  /// (`token`, `password`, `secret`, …) are always removed.
  var secretMembers: Set<String> { get }

  /// The names of members whose values the journal keeps although they end like secrets, in the same form.
  var publicMembers: Set<String> { get }

  /// The kinds of its sheets.
  var sheetKinds: [String] { get }

  /// The version in the answer to `capability.query`; nil if the bridge does not affect that.
  var hostVersion: String? { get }

  // MARK: Rules

  /// What rules can say about it. By default, they can name any action that begins with the bridge's name.
  var rules: RuleVocabulary { get }

  /// Whether its messages and their answers are values of any kind. The journal then has them as the member `value` of the data. By default
  /// they are, if one of its channels makes them so.
  var carriesValues: Bool { get }

  // MARK: The linter

  /// The rules of the linter for its pages. The bridge's parts of a session check them.
  var lintRules: [LintRule] { get }

  // MARK: Pages

  /// The default variant of its shim; empty for a bridge with one shim.
  var shimVariant: String { get }

  /// The text that the native app adds to the browser's user agent; nil for none.
  var userAgent: String? { get }

  /// Its part of the script that each page loads.
  func shim(_ variant: String, _ platform: Platform) -> ShimPart

  // MARK: State

  /// The part of a session's profile that a reset keeps; by default nothing.
  func profileAfterReset(_ profile: [String: JSONValue]) -> [String: JSONValue]

  /// The part of a session's profile that another device of the same person begins with; by default nothing.
  func profileOfNewDevice(_ profile: [String: JSONValue]) -> [String: JSONValue]

  /// The part of a session's profile for an exported file. Without `withSecrets`, it must not contain anything that gives access. By default,
  /// members with names of secrets are left out.
  func profileForExport(_ profile: [String: JSONValue], withSecrets: Bool) -> [String: JSONValue]

  /// The error code for a call with this action whose effect could not be stored. Used only for bridges whose messages report the session's
  /// state (`BridgeMessageTraits.tellsOfState`).
  func unkeptErrorCode(of action: String) -> String

  /// Creates the objects that all sessions share, when the server starts. Returns a closure that creates the bridge's part of each session.
  ///
  /// - Throws: An error if the bridge's configuration is not possible. The server then does not start.
  @BridgeActor
  func start(_ server: ServerContext) throws -> BridgeSessionMaker
}

/// Creates a bridge's part of a session when the session is launched.
public typealias BridgeSessionMaker = @BridgeActor (SessionContext) -> any SessionBridge

extension BridgeDefinition {
  /// True.
  public var isEnabled: Bool { true }
  /// The shim creates the messages, and they contain nothing special.
  public var messages: BridgeMessageTraits { [.madeByShim] }
  /// None.
  public var secretMembers: Set<String> { [] }
  /// None.
  public var publicMembers: Set<String> { [] }
  /// None.
  public var sheetKinds: [String] { [] }
  /// None.
  public var hostVersion: String? { nil }
  /// Any action that begins with the bridge's name.
  public var rules: RuleVocabulary { RuleVocabulary(actions: "an action of \(name) such as \(name).message") }
  /// Whether it has a channel with an action, which carries values.
  public var carriesValues: Bool { shim(shimVariant, .ios).channels.contains { $0.action != nil } }
  /// None.
  public var lintRules: [LintRule] { [] }
  /// The empty name of the only variant.
  public var shimVariant: String { "" }
  /// Nothing.
  public var userAgent: String? { nil }
  /// Nothing.
  public func shim(_ variant: String, _ platform: Platform) -> ShimPart { ShimPart() }
  /// Nothing.
  public func profileAfterReset(_ profile: [String: JSONValue]) -> [String: JSONValue] { [:] }
  /// Nothing.
  public func profileOfNewDevice(_ profile: [String: JSONValue]) -> [String: JSONValue] { [:] }
  /// The whole profile, or without secrets the members that have no name of a secret.
  public func profileForExport(_ profile: [String: JSONValue], withSecrets: Bool) -> [String: JSONValue] {
    if withSecrets { return profile }
    return JournalMarks(secretMembers: secretMembers, publicMembers: publicMembers).withoutSecrets(profile)
  }
  /// The code of a broken request.
  public func unkeptErrorCode(of action: String) -> String { "bridge.brokenRequest" }
}

/// The initial state of one bridge in a session, from a scenario or from the request that creates the session.
public protocol BridgeBeginning: Sendable {
  /// Checks whether the whole state is possible, before any part of it is applied.
  ///
  /// - Throws: `OptionError` with the place of the part that is not possible.
  @BridgeActor
  func check(in bridge: any SessionBridge) throws(OptionError)

  /// Applies the state.
  ///
  /// - Throws: `OptionError` with the place of the part that is not possible.
  @BridgeActor
  func begin(in bridge: any SessionBridge) throws(OptionError)
}

extension BridgeBeginning {
  /// Accepts any state.
  @BridgeActor
  public func check(in bridge: any SessionBridge) throws(OptionError) {}
}

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
  /// The files of `web/bridges/` that are part of the shim while the bridge is switched on, with all that they import. Bridges can share a file.
  package var files: [String] = []
  /// The files of `web/bridges/` that are part of the linter's script while the bridge is switched on, with all that they import.
  package var lintFiles: [String] = []

  /// Creates a part.
  public init(channels: [Channel] = [], configuration: [String: JSONValue] = [:], script: String? = nil) {
    self.channels = channels
    self.configuration = configuration
    self.script = script
  }
}

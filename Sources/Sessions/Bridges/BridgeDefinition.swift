public import BridgeCore
import BridgeRuntime

/// A bridge, as the server knows it: one contract between pages and their native host.
///
/// All that the server needs to know of a bridge stands here and in what ``start(_:)`` makes: a ``SessionBridge`` for each session, which
/// makes a ``PageBridge`` for each page. Bridges are registered in ``FootbridgeOptions/bridges``; nothing else in the server names them.
///
///     struct Doorbell: BridgeDefinition {
///       let name = "doorbell"
///       func shim(_ variant: String, _ platform: Platform) -> ShimPart {
///         ShimPart(channels: [ShimPart.Channel("doorbell", action: "doorbell.message")])
///       }
///       func start(_ server: BridgeServer) -> BridgeSessionMaker { { DoorbellSession($0) } }
///     }
///     options.bridges.register(Doorbell())
public protocol BridgeDefinition: Sendable {
  /// The bridge's name: its section of `footbridge.yaml`, and what its actions begin with. Letters and digits.
  var name: String { get }

  /// Whether the bridge is there. One that is switched off is not there for pages, rules and sessions.
  var isEnabled: Bool { get }

  /// Who makes its messages, and what they hold. Those that the shim makes, as it does by default, have actions that begin with the bridge's
  /// name and a dot. The one bridge whose pages make the messages themselves gets every action that no other bridge has.
  var messages: BridgeMessageTraits { get }

  /// The names of members whose values the journal leaves out of its messages, in lower case and without dashes and underscores. Names that
  /// end like secrets (`token`, `password`, `secret`, …) are left out anyway.
  var secretMembers: Set<String> { get }

  /// The kinds of the native screens that it shows.
  var sheetKinds: [String] { get }

  /// Its version for `capability.query`; nil for a bridge that has no part in that.
  var hostVersion: String? { get }

  // MARK: Rules

  /// The actions that rules can name, in words, for an error: "must be …".
  var ruleActions: String { get }

  /// What a rule can be about under a name that begins as the bridge's actions do; nil when there is no such action.
  func ruleAction(_ name: String) -> RuleAction?

  /// A request of a page as rules see it: by its action and data, unless said otherwise.
  func ruledCall(_ request: BridgePayload) -> RuledCall

  // MARK: Pages

  /// Which of its shims sessions have about which nothing else is set; empty for a bridge with one shim.
  var shimVariant: String { get }

  /// Its part of the script that each page of a session loads.
  func shim(_ variant: String, _ platform: Platform) -> ShimPart

  // MARK: State

  /// What is kept of its part of a session's profile when the session is reset; nothing by default.
  func profileAfterReset(_ profile: [String: JSONValue]) -> [String: JSONValue]

  /// The code of the error with which a call of this action is answered whose effect could not be kept. Only a bridge whose messages tell of
  /// the session's state (``BridgeMessageTraits/tellsOfState``) is asked.
  func unkeptErrorCode(of action: String) -> String

  /// The server starts: makes what all sessions share, and returns what makes the bridge's part of each session.
  ///
  /// - Throws: when the bridge cannot be as it is configured; the server then does not start.
  @BridgeActor
  func start(_ server: BridgeServer) throws -> BridgeSessionMaker
}

/// Makes a bridge's part of a session when the session is launched.
public typealias BridgeSessionMaker = @BridgeActor (SessionContext) -> any SessionBridge

extension BridgeDefinition {
  /// It is.
  public var isEnabled: Bool { true }
  /// The shim makes them, and they hold nothing that needs care.
  public var messages: BridgeMessageTraits { [.madeByShim] }
  /// None.
  public var secretMembers: Set<String> { [] }
  /// None.
  public var sheetKinds: [String] { [] }
  /// None.
  public var hostVersion: String? { nil }
  /// Any action that begins with the bridge's name.
  public var ruleActions: String { "an action of \(name) such as \(name).message" }
  /// Any action that begins with the bridge's name.
  public func ruleAction(_ name: String) -> RuleAction? { RuleAction(name) }
  /// By its action and its data.
  public func ruledCall(_ request: BridgePayload) -> RuledCall {
    RuledCall(request)
  }
  /// The only one.
  public var shimVariant: String { "" }
  /// Nothing.
  public func shim(_ variant: String, _ platform: Platform) -> ShimPart { ShimPart() }
  /// Nothing.
  public func profileAfterReset(_ profile: [String: JSONValue]) -> [String: JSONValue] { [:] }
  /// That of a request that is broken.
  public func unkeptErrorCode(of action: String) -> String { "bridge.brokenRequest" }
}

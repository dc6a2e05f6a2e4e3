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
///       var shim: ShimPart { ShimPart(channels: [ShimPart.Channel("doorbell", action: "doorbell.message")]) }
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

  /// The names of members whose values the journal removes, and of those that it keeps although their names end like secrets. None by
  /// default. Names that end like secrets (`token`, `password`, `secret`, …) are always removed.
  var marks: JournalMarks { get }

  /// The kinds of its sheets.
  var sheetKinds: [String] { get }

  /// What rules can say about it. By default, they can name any action that begins with the bridge's name.
  var rules: RuleVocabulary { get }

  /// The rules of the linter for its pages. The bridge's parts of a session check them.
  var lintRules: [LintRule] { get }

  /// Its part of the script that each page loads, and of what the native app tells pages.
  var shim: ShimPart { get }

  /// What becomes of its part of a session's profile.
  var profile: ProfilePolicy { get }

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
  public var marks: JournalMarks { JournalMarks() }
  /// None.
  public var sheetKinds: [String] { [] }
  /// Any action that begins with the bridge's name.
  public var rules: RuleVocabulary { RuleVocabulary(actions: "an action of \(name) such as \(name).message") }
  /// None.
  public var lintRules: [LintRule] { [] }
  /// Nothing.
  public var shim: ShimPart { ShimPart() }
  /// A profile that ends with the app's data.
  public var profile: ProfilePolicy { ProfilePolicy() }
}

extension BridgeDefinition {
  /// The variant of the shim in a session without one of its own; empty for a bridge with one shim.
  package var usualVariant: String { shim.usualVariant }

  /// Whether its messages and their answers are values of any kind: one of its channels makes them so. The journal has them as the member
  /// `value` of the data.
  package var carriesValues: Bool {
    messages.contains(.carriesValues) || shim.channels.contains { $0.action != nil }
  }
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

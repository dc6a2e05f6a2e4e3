package import BridgeCore
import BridgeRuntime

/// The server's options for sessions.
package struct SessionOptions: Sendable {
  /// The limits of pages.
  package var limits = FootbridgeLimits()
  /// The platform that is reported to pages.
  package var platform = Platform.ios
  /// Who answers sheets.
  package var present = PresentationMode.page
  /// The origin that the page has in production; nil if it is unknown.
  package var siteOrigin: String?
  /// The app that the pages belong to; nil leaves it out of sheets.
  package var app: AppIdentity?
  /// Other origins whose pages may use the bridge.
  package var allowedOrigins: [String] = []
  /// The scenarios that sessions can begin, by name.
  package var scenarios: [String: Scenario] = [:]
  /// The default scenario of sessions.
  package var scenario: String?
  /// Reads a rule from its JSON.
  package var readRule: (@Sendable (JSONValue, BridgeTable) throws -> Rule)?
  /// Reads the stored sections of a session's own bridges. The table has the server's bridges. Also returns why some could not be read.
  package var readBridges: (@Sendable @BridgeActor (KeptBridges, BridgeTable, ServerContext) -> ReadBridges)?
  /// The ids of the linter's rules that are switched off.
  package var silencedRules: Set<String> = []
  /// The seed of the sessions' ids; nil for random ids.
  package var seed: UInt64?
  /// Creates the host of each new page; nil lets the session create it.
  package var makeHost: (@Sendable @BridgeActor () -> BridgeHost)?
  /// Called with the host of each new page, before the page's first message.
  package var onPage: (@Sendable @BridgeActor (BridgeHost) -> Void)?

  /// The default options.
  package init() {}

  /// The maximum number of received messages that a page's host keeps for the embedding program. The journal has all of them.
  private static let receivedMessagesLimit = 50
  /// The approximate maximum size of these messages, in bytes.
  private static let receivedMessagesByteLimit = 8 << 20

  /// Whether the embedding program may have its own handlers.
  var haveHostCode: Bool { makeHost != nil || onPage != nil }

  /// The host for a new page of `session`: the program's own, or a new one.
  @BridgeActor
  func makeHost(for session: Session, hostVersion: String) -> BridgeHost {
    var made: BridgeHost?
    if let makeHost { session.runHostCode { made = makeHost() } }
    let host =
      made ?? BridgeHost(hostVersion: hostVersion, clock: session.clock, random: session.random)
    if host.receivedMessagesLimit == .max {
      host.receivedMessagesLimit = haveHostCode ? Self.receivedMessagesLimit : 0
      host.receivedMessagesByteLimit = Self.receivedMessagesByteLimit
    }
    return host
  }
}

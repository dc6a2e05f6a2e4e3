package import BridgeCore
import BridgeRuntime

/// What sessions have of the server's options.
package struct SessionOptions: Sendable {
  /// The bounds of what pages may ask for.
  package var limits = FootbridgeLimits()
  /// The platform that pages are told they run on.
  package var platform = Platform.ios
  /// Who answers sheets.
  package var present = PresentationMode.page
  /// The origin that the page has in production; nil when the developer has not said it.
  package var siteOrigin: String?
  /// Other origins whose pages may use the bridge.
  package var allowedOrigins: [String] = []
  /// The scenarios that sessions can begin, by name.
  package var scenarios: [String: Scenario] = [:]
  /// The scenario of sessions that choose none.
  package var scenario: String?
  /// The number that the ids of sessions follow from; nil for random ids.
  package var seed: UInt64?
  /// Makes the host of each new page; nil lets the session make it.
  package var makeHost: (@Sendable @BridgeActor () -> BridgeHost)?
  /// Called with the host of each new page, before the page's first message.
  package var onPage: (@Sendable @BridgeActor (BridgeHost) -> Void)?

  /// The default options.
  package init() {}

  /// How many received messages the host of a page keeps, if a program can look at them. The journal has them all anyway.
  private static let receivedMessagesLimit = 50
  /// About how many bytes they may have.
  private static let receivedMessagesByteLimit = 8 << 20

  /// Whether handlers of a page's requests may be the program's.
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

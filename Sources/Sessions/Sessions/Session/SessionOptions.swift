public import BridgeCore
import BridgeRuntime
import Delivery
public import HTTP1

/// The options of sessions: the site's origins, what pages see, and what sessions begin with.
public struct SessionOptions: Sendable {
  /// The origin that the page has in production, such as `https://today.example`; nil if it is unknown.
  public var siteOrigin: HTTPOrigin? { didSet { siteAddress = siteOrigin?.description } }
  /// ``siteOrigin`` as a text, such as `https://today.example`. Stored, since the messages of pages need it.
  package private(set) var siteAddress: String?
  /// Other origins whose pages may use the bridge, such as `http://localhost:5173`.
  public var allowedOrigins: [HTTPOrigin] = []
  /// The platform that is reported to pages.
  public var platform = Platform.ios
  /// The mode that decides who answers sheets.
  public var present = PresentationMode.page
  /// The phone around the app of new sessions; nil if pages need not notice it.
  package var device: Device?
  /// The scenarios that sessions can begin, by name.
  public var scenarios: [String: Scenario] = [:]
  /// The default scenario of sessions: a name in ``scenarios``.
  public var scenario: String?
  /// The seed of the sessions' ids. With the same seed, a test that does the same gets the same ids. Nil for random ids. Keys, cookies,
  /// tickets and the control token are always random.
  public var seed: UInt64?
  /// The limits of the server.
  public var limits = FootbridgeLimits()
  /// The app that the page belongs to. Sheets show its name and icon.
  public var app: AppIdentity?
  /// The ids of the linter's rules that are switched off: see docs/lint.md.
  public var silencedRules: Set<String> = []
  /// Creates the host of each new page: an instance of the app's own subclass of `BridgeHost`, or a host with the app's own configuration.
  /// Nil lets Footbridge create it.
  ///
  /// The host's own registrations stay. Its capture slots keep their handlers; Footbridge shows its own sheets for slots that the app has
  /// not touched. The host uses the clock and the ids of the page's session.
  ///
  /// Footbridge calls this once more when the server starts, to learn the scripts that documents begin with. If it returns the same host
  /// again, that host serves the newest page only.
  public var makeHost: (@Sendable @BridgeActor () -> BridgeHost)?
  /// Called with the host of each new page, before the page's first message. A program registers its capabilities here. It is called last,
  /// so it can replace what Footbridge has registered.
  public var onPage: (@Sendable @BridgeActor (BridgeHost) -> Void)?
  /// Reads a rule from its JSON.
  package var readRule: (@Sendable (JSONValue, BridgeTable) throws -> Rule)?
  /// Reads the stored sections of a session's own bridges. The table has the server's bridges. Also returns why some could not be read.
  package var readBridges: (@Sendable @BridgeActor (StoredBridges, BridgeTable, ServerContext) -> ReadBridges)?

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
      if haveHostCode { share(session.space.received, with: host) }
    }
    return host
  }

  /// The host's messages take of the space until ``BridgeHost/endSharing()``.
  @BridgeActor
  private func share(_ space: SharedBytes, with host: BridgeHost) {
    host.shareReceivedBytes = { change in
      space.change(by: change)
      return space.room
    }
  }
}

extension ServerOption {
  package static let siteOrigin = ServerOption(
    "siteOrigin", .text, "https://…", help: "The https origin that the page has in production.")
  package static let allowOrigin = ServerOption(
    "allowOrigin", .list, "origin", help: "Another origin whose pages may use the bridge. Can be repeated.")
  package static let platform = ServerOption(
    "platform", .text, "platform", help: "The platform to report to pages: ios or macos. (default: ios)")
  package static let present = ServerOption(
    "present", .text, "mode",
    help: """
      Who answers native sheets: page (the person in the page), control (the control API) or auto (everything is \
      approved at once). (default: page)
      """)
  package static let scenario = ServerOption(
    "scenario", .text, "name", help: "The scenario of footbridge.yaml that sessions begin with.")
  package static let seed = ServerOption(
    "seed", .text, "number", help: "The seed of the ids that sessions create: the same seed gives the same ids.")
}

/// How the options are read.
extension SessionOptions {
  package static let options: [ServerOption] = [.siteOrigin, .allowOrigin, .platform, .present, .scenario, .seed]

  /// Reads all but the scenario, which must be one of the file's.
  package mutating func read(_ values: OptionValues) throws(OptionError) {
    siteOrigin = try values.parsed(.siteOrigin, Self.siteOrigin)
    allowedOrigins = try values.list(.allowOrigin, Self.allowedOrigin)
    if let platform: Platform = try values.choice(.platform) { self.platform = platform }
    if let present: PresentationMode = try values.choice(.present) { self.present = present }
    seed = try Self.seed(values)
  }

  /// A site's origin that the hosts trust nowhere.
  package static func remarks(_ values: OptionValues) -> [String] {
    guard let (text, source) = values[.siteOrigin], let origin = try? siteOrigin(text), !origin.isSecure else {
      return []
    }
    return ["\(source) is \(text). Apps load their pages by https, and Today trusts no other page."]
  }

  /// Reads the origin that the page has in production. One `/` may follow it.
  package static func siteOrigin(_ text: String) throws(OptionError) -> HTTPOrigin {
    guard let origin = HTTPOrigin(text.hasSuffix("/") ? String(text.dropLast()) : text) else {
      throw OptionError(
        "\(text) is not an origin. Set \(ServerOption.siteOrigin.flag) to scheme, host and optional port, such as https://today.example."
      )
    }
    return origin
  }

  /// Reads another origin whose pages may use the bridge.
  package static func allowedOrigin(_ text: String) throws(OptionError) -> HTTPOrigin {
    guard let origin = HTTPOrigin(text) else {
      throw OptionError(
        "\(text) is not an origin. Set \(ServerOption.allowOrigin.flag) to scheme, host and optional port, such as http://localhost:5173."
      )
    }
    return origin
  }

  private static func seed(_ values: OptionValues) throws(OptionError) -> UInt64? {
    guard let (value, source) = values[.seed] else { return nil }
    guard let seed = UInt64(value) else {
      throw OptionError("\(source) is \(value). It must be a whole number from 0 to \(UInt64.max).")
    }
    return seed
  }
}

import BridgeCore
import BridgeRuntime
import Essentials
import Today

/// The linter's rules for the Today WebView in one session.
@BridgeActor
final class TodayLint {
  /// The page whose message is being handled, and the message.
  private var caller: String?
  private var request: BridgeMessage?
  /// The page that has asked for the token that the host is getting; nil if it needed one.
  private var refresher: String?
  private var refreshes = RefreshesWithoutRefusal()
  private let context: SessionContext
  private let host: () -> TodayHost

  init(_ context: SessionContext, host: @escaping () -> TodayHost) {
    self.context = context
    self.host = host
  }

  private func report(_ rule: String, page: String?, _ about: String) {
    context.report(LintFinding(rule, page: page, about))
  }

  /// Handles a message of a page, and looks at what the host does.
  func look(at request: BridgeMessage, of page: String, _ handle: () -> Void) {
    (caller, self.request) = (page, request)
    let tokens = host().tokens
    let former = (
      count: tokens.refreshCount, token: tokens.token, isSpoilt: tokens.nextFailure != nil || tokens.isRevoked
    )
    handle()
    (caller, self.request) = (nil, nil)
    guard tokens.refreshCount > former.count, Self.asksForNewToken(request.payload.data?["value"]) else { return }
    // Without a good token, a page has to ask for one.
    if former.token == nil || former.isSpoilt { refreshes.refused() } else { refresher = page }
  }

  /// The host has got a new token. A refresh that fails does not count.
  func refreshed(_ token: AccessToken) {
    guard let page = refresher else { return }
    refresher = nil
    if refreshes.refreshed(at: context.clock.now, lifetime: token.validity) {
      report(
        "L23", page: page,
        "\(RefreshesWithoutRefusal.limit + 1) refreshes in the life of a token, and no answer of 401 that called for them."
      )
    }
  }

  /// Whether a message makes the host get a new token in any case.
  private static func asksForNewToken(_ message: JSONValue?) -> Bool {
    switch message?["type"]?.stringValue.flatMap(TodayMessageType.init) {
    case .refreshToken: true
    case .establishSession: message?["refresh"] == true
    case .track, .headers, nil: false
    }
  }

  /// A page tracks an event, and the host drops these parameters.
  func dropped(_ parameters: [String], of event: String) {
    guard let first = parameters.first else { return }
    let others = parameters.count == 1 ? "" : " and \(parameters.count - 1) more"
    report("L21", page: caller, "\(event.prefix(60)): \(first.prefix(60))\(others) of track.")
  }

  /// The host does not know what the message is that it handles.
  func hasUnknownMessage() {
    let type = request?.payload.data?["value"]?["type"].map { "type is \($0.jsonText.prefix(80))" }
    report("L20", page: caller, "A message was answered with undefined: \(type ?? "it has no type").")
  }

  // MARK: The page's script

  /// The linter's script in a page has seen something.
  func observed(_ observation: LintObservation, of page: any BridgePage) {
    switch observation.kind {
    case "handler":
      guard let name = observation["name"], let meant = Self.meantHandler(by: name) else { return }
      report("L19", page: page.id, "There is no handler \(name); \(meant) is the one.")
    case "unauthorized": refreshes.refused()
    case "token":
      guard let place = observation["place"], let destination = observation["host"] else { return }
      switch place {
      case "url": report("L22", page: page.id, "A bearer token is in the address of a request to \(destination).")
      case "body": report("L22", page: page.id, "A bearer token is in the body of a request to \(destination).")
      case "header" where !isTrusted(destination, by: page):
        report("L22", page: page.id, "A bearer token goes to \(destination), which is not trusted.")
      default: break
      }
    default: break
    }
  }

  /// The handler that a name was meant for; nil for one of another app, or the exact name.
  static func meantHandler(by name: String) -> String? {
    let handler = "todayWebViewBridge"
    return name != handler && Spelling.distance(name.lowercased(), handler.lowercased()) <= 3 ? handler : nil
  }

  private func isTrusted(_ host: String, by page: any BridgePage) -> Bool {
    if self.host().trust.trusts(host: host) { return true }
    guard let url = page.siteURL else { return false }
    return host == url.port.map { "\(url.host ?? ""):\($0)" } ?? url.host
  }
}

/// The rule about refreshes that nobody needed (L23), for one session. Pure.
struct RefreshesWithoutRefusal {
  /// How many there may be in a token's life: one more is too many.
  static let limit = 3

  private var times: [BridgeInstant] = []

  /// A page has had a token refreshed that had not expired.
  ///
  /// - Parameter lifetime: How long a token lives; nil for ever.
  /// - Returns: Whether this is one too many. The counting then begins anew.
  mutating func refreshed(at now: BridgeInstant, lifetime: Duration?) -> Bool {
    if let lifetime { times.removeAll { $0.advanced(by: lifetime) <= now } }
    times.append(now)
    guard times.count > Self.limit else { return false }
    times = []
    return true
  }

  /// A page got an answer of 401, or the token was taken away: refreshing is what a page should do.
  mutating func refused() {
    times = []
  }
}

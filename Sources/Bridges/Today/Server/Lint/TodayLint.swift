import BridgeCore
import BridgeRuntime
import Essentials
import Sessions
import Today

/// Applies the linter's rules for the Today WebView to one session.
@BridgeActor
final class TodayLint {
  /// The page whose message is being handled. ``request`` is the message.
  private var caller: String?
  private var request: BridgeMessage?
  /// The page that has asked for a new token without need; nil if no such request is under way.
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

  /// Runs the handler of a page's message, and checks what the host does.
  func look(at request: BridgeMessage, of page: String, _ handle: () -> Void) {
    (caller, self.request) = (page, request)
    let tokens = host().tokens
    let former = (
      count: tokens.refreshCount, token: tokens.token, isSpoilt: tokens.nextFailure != nil || tokens.isRevoked
    )
    handle()
    (caller, self.request) = (nil, nil)
    guard tokens.refreshCount > former.count, Self.asksForNewToken(request.payload.data?["value"]) else { return }
    // If there is no valid token, the page needs a new one.
    if former.token == nil || former.isSpoilt { refreshes.refused() } else { refresher = page }
  }

  /// Notes that the host has got a new token. A refresh that fails does not count.
  func refreshed(_ token: AccessToken) {
    guard let page = refresher else { return }
    refresher = nil
    if refreshes.refreshed(at: context.clock.now, lifetime: token.validity) {
      report(
        "L23", page: page,
        "\(RefreshesWithoutRefusal.limit + 1) refreshes within the lifetime of a token, and no response with the status 401."
      )
    }
  }

  /// Whether a message always makes the host get a new token.
  private static func asksForNewToken(_ message: JSONValue?) -> Bool {
    switch message?["type"]?.stringValue.flatMap({ TodayMessageType(rawValue: $0) }) {
    case .refreshToken: true
    case .establishSession: message?["refresh"] == true
    case .track, .headers, nil: false
    }
  }

  /// Reports parameters of a tracked event that the host drops.
  func dropped(_ parameters: [String], of event: String) {
    guard let first = parameters.first else { return }
    let others = parameters.count == 1 ? "" : " and \(parameters.count - 1) more"
    report("L21", page: caller, "\(event.prefix(60)): \(first.prefix(60))\(others) of track.")
  }

  /// Reports a tracked event without a name. Its other members say what the page may have meant.
  func hasNoName() {
    let members = (request?.payload.data?["value"]?.objectValue?.keys.sorted() ?? []).prefix(8).joined(separator: ", ")
    report("L27", page: caller, "An event of track was dropped. Its message has the members \(members.prefix(120)).")
  }

  /// Reports that the host does not know the message that it handles.
  func hasUnknownMessage() {
    let type = request?.payload.data?["value"]?["type"].map { "type is \($0.jsonText.prefix(80))" }
    report("L20", page: caller, "A message was answered with undefined: \(type ?? "it has no type").")
  }

  // MARK: The page's script

  /// Handles an observation of the linter's script in a page.
  func observed(_ observation: LintObservation, of page: any BridgePage) {
    switch observation.kind {
    case "handler":
      guard let name = observation["name"], let meant = Self.meantHandler(by: name) else { return }
      report("L19", page: page.id, "There is no handler \(name). It is named \(meant).")
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

  /// Returns the handler of which a name is probably a misspelling; nil if the name is correct or belongs to another app.
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

/// The rule about needless refreshes (L23), for one session. A pure state machine.
struct RefreshesWithoutRefusal {
  /// The maximum number of needless refreshes within the lifetime of a token.
  static let limit = 3

  private var times: [BridgeInstant] = []

  /// Counts a refresh of a token that was still valid.
  ///
  /// - Parameter lifetime: The lifetime of a token; nil if it never expires.
  /// - Returns: Whether there are too many. The count then starts again.
  mutating func refreshed(at now: BridgeInstant, lifetime: Duration?) -> Bool {
    if let lifetime { times.removeAll { $0.advanced(by: lifetime) <= now } }
    times.append(now)
    guard times.count > Self.limit else { return false }
    times = []
    return true
  }

  /// Resets the count: a page got the status 401, or the token was revoked, so a refresh is right.
  mutating func refused() {
    times = []
  }
}

import BridgeRuntime
import HTTPTypes

/// Who may use the dashboard. A code in the dashboard's address works once and within two minutes. A tab exchanges it for a bearer, which it
/// keeps until it is closed. The bearer is good for the dashboard's port only, and the control token is not good there.
@BridgeActor
final class DashboardAccess {
  /// How long a code works.
  nonisolated static let codeLifetime = Duration.seconds(120)
  /// The maximum number of tabs. The oldest lose their bearers first.
  nonisolated static let bearerLimit = 100

  private let codes: OneTimeCodes<Void>
  private var bearers: [ControlToken] = []
  /// The dashboard's address without a path, such as `http://127.0.0.1:41234`; nil while it does not listen.
  private(set) var origin: String?

  init(clock: any BridgeClock) {
    // Not the server's own randomness, which a test may foresee.
    codes = OneTimeCodes(clock: clock, random: BridgeRandom())
  }

  /// The dashboard listens at an address.
  func listens(at origin: String) {
    self.origin = origin
  }

  /// Issues a code, with the address that has it in its fragment. Nil if there is no dashboard.
  ///
  /// - Parameter link: A fragment of the dashboard that the address leads to, such as `/sessions/0f4c/log?row=12`.
  func enter(_ link: String = "/") -> (code: String, expiry: BridgeInstant, url: String)? {
    guard let origin else { return nil }
    let (code, expiry) = codes.issue(for: (), lifetime: Self.codeLifetime)
    return (code, expiry, "\(origin)/#\(link)\(link.contains("?") ? "&" : "?")code=\(code)")
  }

  /// Exchanges a code for a bearer. Nil if it is unknown, used or too old.
  func exchange(_ code: String) -> Secret? {
    guard codes.redeem(code) != nil else { return nil }
    let bearer = ControlToken.random()
    if bearers.count >= Self.bearerLimit { bearers.removeFirst() }
    bearers.append(bearer)
    return bearer.secret
  }

  /// Whether a request has a bearer. Takes the same time for every wrong one.
  func authorizes(_ fields: HTTPFields) -> Bool {
    let matches = bearers.map { $0.authorizes(fields) }
    return matches.contains(true)
  }
}

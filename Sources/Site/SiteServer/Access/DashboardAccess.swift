package import BridgeRuntime
package import HTTPTypes

/// Controls access to the dashboard. The dashboard's address contains a code that works once and for two minutes. A tab exchanges the code
/// for a bearer token, and keeps that until it is closed. The bearer token works on the dashboard's port only, and the control token does
/// not work there.
@BridgeActor
package final class DashboardAccess {
  /// The lifetime of a code.
  nonisolated static let codeLifetime = Duration.seconds(120)
  /// The maximum number of bearers. The oldest are dropped first.
  nonisolated static let bearerLimit = 100

  private let codes: OneTimeCodes<Void>
  private var bearers: [ControlToken] = []
  /// The dashboard's address without a path, such as `http://127.0.0.1:41234`; nil while it does not listen.
  package private(set) var origin: String?

  package init(clock: any BridgeClock) {
    // Does not use the server's own randomness, which a test may know in advance.
    codes = OneTimeCodes(clock: clock, random: BridgeRandom())
  }

  /// The dashboard listens at an address.
  package func listens(at origin: String) {
    self.origin = origin
  }

  /// Issues a code, and the address with the code in its fragment. Nil if there is no dashboard.
  ///
  /// - Parameter link: A fragment of the dashboard that the address leads to, such as `/sessions/0f4c/log?row=12`.
  package func enter(_ link: String = "/") -> (code: String, expiry: BridgeInstant, url: String)? {
    guard let origin else { return nil }
    let (code, expiry) = codes.issue(for: (), lifetime: Self.codeLifetime)
    return (code, expiry, "\(origin)/#\(link)\(link.contains("?") ? "&" : "?")code=\(code)")
  }

  /// Exchanges a code for a bearer. Nil if the code is unknown, used or too old.
  package func exchange(_ code: String) -> Secret? {
    guard codes.redeem(code) != nil else { return nil }
    let bearer = ControlToken.random()
    if bearers.count >= Self.bearerLimit { bearers.removeFirst() }
    bearers.append(bearer)
    return bearer.secret
  }

  /// Whether a request has a valid bearer. Takes the same time for every wrong bearer.
  package func authorizes(_ fields: HTTPFields) -> Bool {
    let matches = bearers.map { $0.authorizes(fields) }
    return matches.contains(true)
  }
}

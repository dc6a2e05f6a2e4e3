package import BridgeRuntime
package import HTTPTypes

/// Controls access to the dashboard. The dashboard's address contains a code that works once and for two minutes. A tab exchanges the code
/// for a bearer token, and keeps that until it is closed. The bearer token works on the dashboard's port only, and the control token does
/// not work there.
@BridgeActor
package final class DashboardAccess {
  /// The lifetime of a code.
  nonisolated static let codeLifetime = Duration.seconds(120)

  private let clock: any BridgeClock
  private let codes: OneTimeCodes<Void>
  private let bearers: DashboardBearers
  /// The dashboard's address without a path, such as `http://127.0.0.1:41234`; nil while it does not listen.
  package private(set) var origin: String?

  /// The origins from which browsers use the dashboard: under the loopback address, and under its name.
  package var origins: [String] {
    origin.map { [$0, $0.replacing("//127.0.0.1:", with: "//localhost:")] } ?? []
  }

  package init(clock: any BridgeClock, bearers: DashboardBearers = DashboardBearers()) {
    self.clock = clock
    self.bearers = bearers
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
    codes.redeem(code) == nil ? nil : bearers.issue(at: clock.now)
  }

  /// Whether a request has a valid bearer. Takes the same time for every wrong code of a bearer.
  package func authorizes(_ fields: HTTPFields) -> Bool {
    ControlToken.bearer(in: fields).map { bearers.isValid($0, at: clock.now) } ?? false
  }
}

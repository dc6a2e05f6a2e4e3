/// Counts the resets that a client provokes with requests that break a rule: a burst, and then some in each second.
///
/// A request that is reset costs the server most of the work of another one, but does not count for the client's limit
/// of open streams (CVE-2025-8671).
struct HTTP2ResetAllowance: Sendable {
  /// How many resets a client may provoke in a burst.
  static let burst = 200
  /// How many it may provoke in each second after that.
  static let perSecond = 33

  private var remaining = Double(burst)
  private var counted: ContinuousClock.Instant

  /// Creates the allowance of a new connection.
  init(at now: ContinuousClock.Instant) {
    counted = now
  }

  /// Counts a reset. Returns false if the client has provoked too many.
  mutating func take(at now: ContinuousClock.Instant) -> Bool {
    remaining = min(Double(Self.burst), remaining + (now - counted) / .seconds(1) * Double(Self.perSecond))
    counted = now
    guard remaining >= 1 else { return false }
    remaining -= 1
    return true
  }
}

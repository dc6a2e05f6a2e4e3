import BridgeRuntime

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

/// When the bytes of a network with a limited rate have arrived. Whoever asks first goes first; each turn is short, so that all get their
/// share. A pure state machine: callers pass the time.
package struct Bandwidth {
  /// The network has time for other bytes from here on; nil if it has never sent any.
  private var freeAt: ContinuousClock.Instant?

  /// How many turns there are in a second.
  private static let turnsPerSecond = 20

  /// Creates a network that is free.
  package init() {}

  /// Takes the next turn.
  ///
  /// - Parameters:
  ///   - count: How many bytes are ready, at least one.
  ///   - bytesPerSecond: The rate, at least one.
  /// - Returns: How many of the bytes go in this turn, and when they have arrived.
  package mutating func turn(
    of count: Int, at now: ContinuousClock.Instant, bytesPerSecond: Int
  ) -> (count: Int, end: ContinuousClock.Instant) {
    let part = min(count, max(1, bytesPerSecond / Self.turnsPerSecond))
    let start = max(now, freeAt ?? now)
    let end = start.advanced(by: .seconds(Double(part) / Double(bytesPerSecond)))
    freeAt = end
    return (part, end)
  }
}

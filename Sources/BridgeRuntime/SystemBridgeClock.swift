import Essentials

/// The machine's clock.
public struct SystemBridgeClock: BridgeClock {
  /// Creates the clock.
  public init() {}

  /// The machine's time of day, in whole milliseconds.
  public var now: BridgeInstant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return BridgeInstant(millisecondsSinceEpoch: Double(time.tv_sec) * 1000 + Double(time.tv_nsec / 1_000_000))
  }

  /// Suspends until `deadline` in the machine's time.
  public func sleep(until deadline: BridgeInstant) async throws {
    let remaining = now.duration(to: deadline)
    if remaining > .zero { try await Task.sleep(for: remaining) }
  }
}

import Essentials

/// The source of time. Everything that needs time gets a clock, so that tests can set it.
public protocol BridgeClock: Sendable {
  /// The present moment.
  var now: BridgeInstant { get }

  /// Suspends until `deadline`.
  ///
  /// - Throws: `CancellationError` when the task is cancelled first.
  func sleep(until deadline: BridgeInstant) async throws
}

extension BridgeClock {
  /// Suspends for `duration`, counted from ``BridgeClock/now``.
  ///
  /// - Throws: `CancellationError` when the task is cancelled first.
  public func sleep(for duration: Duration) async throws {
    try await sleep(until: now.advanced(by: duration))
  }
}

/// A point in time on a ``BridgeClock``: milliseconds since 1970-01-01T00:00:00Z, the unit of the envelope's `timestamp`.
public struct BridgeInstant: Hashable, Comparable, Sendable {
  /// Milliseconds since the Unix epoch, leap seconds not counted.
  public var millisecondsSinceEpoch: Double

  /// Creates an instant from milliseconds since the Unix epoch.
  public init(millisecondsSinceEpoch: Double) {
    self.millisecondsSinceEpoch = millisecondsSinceEpoch
  }

  /// The instant `duration` after this one.
  public func advanced(by duration: Duration) -> BridgeInstant {
    BridgeInstant(millisecondsSinceEpoch: millisecondsSinceEpoch + duration.milliseconds)
  }

  /// The time from this instant to `other` in whole microseconds; negative when `other` is earlier.
  public func duration(to other: BridgeInstant) -> Duration {
    .microseconds(Int64((other.millisecondsSinceEpoch - millisecondsSinceEpoch) * 1000))
  }

  /// Whether `lhs` lies before `rhs`.
  public static func < (lhs: BridgeInstant, rhs: BridgeInstant) -> Bool {
    lhs.millisecondsSinceEpoch < rhs.millisecondsSinceEpoch
  }
}

extension Duration {
  /// The duration in milliseconds, with fractions.
  public var milliseconds: Double {
    Double(components.seconds) * 1000 + Double(components.attoseconds) / 1e15
  }
}

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

/// Time that does not change when somebody sets the machine's clock. For measuring how long something takes.
public enum MonotonicTime {
  /// The time since some moment in the past, in nanoseconds.
  public static var nanoseconds: Int {
    nanoseconds(of: CLOCK_MONOTONIC)
  }

  /// The same on a clock that also runs while the machine sleeps. It counts from another moment in the past.
  public static var nanosecondsWithSleep: Int {
    #if os(Linux)
      nanoseconds(of: CLOCK_BOOTTIME)
    #else
      // Elsewhere this clock does not stop.
      nanoseconds
    #endif
  }

  private static func nanoseconds(of clock: clockid_t) -> Int {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
  }
}

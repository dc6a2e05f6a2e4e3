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

/// How much of tracking is kept and for how long.
public struct TrackLimits: Sendable, Hashable {
  /// The largest event, in octets; larger ones are dropped.
  public var eventByteCount = 65_536
  /// How many events are kept, in the log as well as waiting to be sent; the oldest make room.
  public var eventCount = 1000
  /// How many octets these events occupy in all.
  public var totalByteCount = 8 << 20
  /// How many events go out together.
  public var batchCount = 50
  /// How long an event waits for others.
  public var batchDelay: Duration = .seconds(5)

  /// The usual limits.
  public init() {}
}

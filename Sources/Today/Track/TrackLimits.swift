/// The limits of tracked events.
public struct TrackLimits: Sendable, Hashable {
  /// The largest event, in bytes. Larger events are dropped.
  public var eventByteCount = 65_536
  /// The most events in the log, and in the queue of those to be sent. The oldest are dropped first.
  public var eventCount = 1000
  /// The largest total size of the log, and of the queue, in bytes.
  public var totalByteCount = 8 << 20
  /// The most events in one batch.
  public var batchCount = 50
  /// How long an event waits for others before its batch is sent.
  public var batchDelay: Duration = .seconds(5)

  /// The default limits.
  public init() {}
}

/// Events in order, within the limits. A pure value.
struct EventBuffer {
  /// How many events were dropped to make room for later ones.
  private(set) var droppedCount = 0

  private let limits: TrackLimits
  private var storage: [TrackedEvent] = []
  /// The index of the oldest event in `storage`. Earlier elements are already taken, and are removed from time to time.
  private var head = 0
  private var byteCount = 0

  init(limits: TrackLimits) {
    self.limits = limits
  }

  var count: Int { storage.count - head }
  var isEmpty: Bool { count == 0 }
  var events: ArraySlice<TrackedEvent> { storage[head...] }

  mutating func append(_ event: TrackedEvent) {
    storage.append(event)
    byteCount += event.byteCount
    while count > max(limits.eventCount, 1) || (byteCount > limits.totalByteCount && count > 1) {
      removeFirst()
      droppedCount += 1
    }
  }

  /// Removes and returns the oldest events, at most `maximum`.
  mutating func take(_ maximum: Int) -> [TrackedEvent] {
    let taken = Array(events.prefix(max(maximum, 1)))
    for _ in taken { removeFirst() }
    return taken
  }

  private mutating func removeFirst() {
    byteCount -= storage[head].byteCount
    head += 1
    if head * 2 > storage.count {
      storage.removeFirst(head)
      head = 0
    }
  }
}

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

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

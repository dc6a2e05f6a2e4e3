/// Decides when events are sent: one batch at a time, as soon as the batch is full or the batch delay has passed. A
/// pure state machine.
struct TrackQueueStateMachine {
  private enum State {
    /// No events are queued.
    case idle
    /// Events wait for the batch to fill up, or for the timer.
    case waiting
    /// A batch is being sent.
    case sending
  }

  enum Action {
    case none
    /// Call ``TrackQueueStateMachine/timerFired()`` after the batch delay.
    case startTimer
    /// Cancel the timer, send these events, and call ``TrackQueueStateMachine/sent()`` in any case.
    case send([TrackedEvent])
  }

  private let limits: TrackLimits
  private var state = State.idle
  private var buffer: EventBuffer
  private var isDraining = false

  init(limits: TrackLimits) {
    self.limits = limits
    buffer = EventBuffer(limits: limits)
  }

  /// How many events were dropped to make room for later ones.
  var droppedCount: Int { buffer.droppedCount }

  /// Whether no event is queued or being sent.
  var isIdle: Bool { if case .idle = state { true } else { false } }

  mutating func enqueue(_ event: TrackedEvent) -> Action {
    buffer.append(event)
    switch state {
    case .sending: return .none
    case .waiting: return isFull ? send() : .none
    case .idle:
      if isFull { return send() }
      state = .waiting
      return .startTimer
    }
  }

  mutating func timerFired() -> Action {
    if case .waiting = state { send() } else { .none }
  }

  mutating func sent() -> Action {
    guard case .sending = state else { return .none }
    if buffer.isEmpty {
      state = .idle
      isDraining = false
      return .none
    }
    if isFull || isDraining { return send() }
    state = .waiting
    return .startTimer
  }

  /// Sends all queued events at once, and those that arrive until then.
  mutating func drain() -> Action {
    switch state {
    case .idle: return .none
    case .waiting:
      isDraining = true
      return send()
    case .sending:
      isDraining = true
      return .none
    }
  }

  private var isFull: Bool { buffer.count >= limits.batchCount }

  private mutating func send() -> Action {
    state = .sending
    return .send(buffer.take(limits.batchCount))
  }
}

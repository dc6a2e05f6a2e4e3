/// When events go out: a batch at a time, when there are enough of them or the oldest has waited long enough. A pure state machine.
struct TrackQueueStateMachine {
  private enum State {
    /// No event waits.
    case idle
    /// Events wait for others, and for the timer.
    case waiting
    /// A batch is under way.
    case sending
  }

  enum Action {
    case none
    /// Call ``TrackQueueStateMachine/timerFired()`` after the batch delay.
    case startTimer
    /// Forget the timer, send these and call ``TrackQueueStateMachine/sent()``, whatever came of it.
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

  /// How many events had to make room for later ones.
  var droppedCount: Int { buffer.droppedCount }

  /// Whether everything has gone out.
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

  /// Everything that waits goes out without further delay, and so does what comes meanwhile.
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

import BridgeRuntime

/// A timer for one of many streams that share a connection.
@BridgeActor
final class StreamTimer {
  private let fire: @BridgeActor () -> Void
  private var deadline: ContinuousClock.Instant?
  /// The sleeping task, and when it wakes up. That may be before the deadline: most deadlines are replaced by later
  /// ones long before they pass, and the task then keeps sleeping, which costs nothing.
  private var waiter: (task: Task<Void, Never>, wakes: ContinuousClock.Instant)?

  /// Creates a timer that is not set. It calls `fire` each time it expires.
  init(_ fire: @escaping @BridgeActor () -> Void) {
    self.fire = fire
  }

  deinit {
    waiter?.task.cancel()
  }

  /// Whether the timer is set, and has not fired yet.
  var isSet: Bool { deadline != nil }

  /// Sets the timer to fire after `duration`. Replaces an earlier time; nil cancels it.
  func set(_ duration: Duration?) {
    deadline = duration.map { .now + $0 }
    guard let deadline else { return }
    if let waiter {
      guard deadline < waiter.wakes else { return }
      waiter.task.cancel()
    }
    wait(until: deadline)
  }

  private func wait(until instant: ContinuousClock.Instant) {
    let task = Task { [weak self] in
      try? await Task.sleep(until: instant, clock: .continuous)
      if !Task.isCancelled { self?.woke() }
    }
    waiter = (task, instant)
  }

  private func woke() {
    waiter = nil
    guard let deadline else { return }
    guard deadline <= .now else { return wait(until: deadline) }
    self.deadline = nil
    fire()
  }
}

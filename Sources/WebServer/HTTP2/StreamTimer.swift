import BridgeRuntime

/// The timer of one of the streams that share a connection.
@BridgeActor
final class StreamTimer {
  private let fire: @BridgeActor () -> Void
  private var deadline: ContinuousClock.Instant?
  /// The waiting task. It may wait for an earlier deadline: most deadlines are replaced long before their time, which then costs nothing.
  private var waiter: (task: Task<Void, Never>, wakes: ContinuousClock.Instant)?

  /// Creates a timer that is not set. It calls `fire` when it expires.
  init(_ fire: @escaping @BridgeActor () -> Void) {
    self.fire = fire
  }

  deinit {
    waiter?.task.cancel()
  }

  /// Whether it will fire.
  var isSet: Bool { deadline != nil }

  /// Fires after `duration`. Replaces an earlier time; nil for never.
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

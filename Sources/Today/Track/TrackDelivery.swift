public import BridgeRuntime

/// Sends events to where they are collected, as PostHog-compatible JSON: in batches, as well as it goes, never on a message's path.
///
/// A batch that does not arrive is lost, and counted.
@BridgeActor
public final class TrackDelivery {
  /// How many events were lost: they had to make room, or their batch did not arrive.
  public var lostCount: Int { machine.droppedCount + undeliveredCount }

  private let sender: any TrackSender
  private let key: Secret?
  private let limits: TrackLimits
  private let clock: any BridgeClock
  private var machine: TrackQueueStateMachine
  private var undeliveredCount = 0
  private var timer: Task<Void, Never>?
  private var drained: [CheckedContinuation<Void, Never>] = []

  /// Creates a delivery. `key` is the project's key, `api_key` in each batch; nil leaves it out.
  public init(
    sender: any TrackSender,
    key: Secret? = nil,
    limits: TrackLimits = TrackLimits(),
    clock: any BridgeClock = SystemBridgeClock()
  ) {
    self.sender = sender
    self.key = key
    self.limits = limits
    self.clock = clock
    machine = TrackQueueStateMachine(limits: limits)
  }

  /// Takes an event to be sent some time.
  public func enqueue(_ event: TrackedEvent) {
    follow(machine.enqueue(event))
  }

  /// Sends what waits without further delay, and returns once it has gone out or was lost.
  public func drain() async {
    follow(machine.drain())
    if machine.isIdle { return }
    await withCheckedContinuation { drained.append($0) }
  }

  private func follow(_ action: TrackQueueStateMachine.Action) {
    switch action {
    case .none: break
    case .startTimer:
      timer = Task { [weak self, clock, limits] in
        guard (try? await clock.sleep(for: limits.batchDelay)) != nil, let self else { return }
        follow(machine.timerFired())
      }
    case .send(let events):
      timer?.cancel()
      timer = nil
      let batch = PostHogBatch(events: events, key: key)
      Task { [sender] in
        if !(await Self.deliver(batch, sender)) { undeliveredCount += events.count }
        follow(machine.sent())
      }
    }
    guard machine.isIdle, !drained.isEmpty else { return }
    let waiting = drained
    drained = []
    for continuation in waiting { continuation.resume() }
  }

  private nonisolated static func deliver(_ batch: PostHogBatch, _ sender: any TrackSender) async -> Bool {
    (try? await sender.send(batch: Array(batch.json.jsonText.utf8))) != nil
  }
}

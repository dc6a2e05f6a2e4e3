import BridgeRuntime

/// Brings the ledger to the clock when a subscription renews or ends, even if nobody looks.
@BridgeActor
final class RenewalAlarm {
  private weak var launch: OnsideLaunch?
  private var time: BridgeInstant?
  private var task: Task<Void, Never>?

  nonisolated init() {}

  deinit {
    task?.cancel()
  }

  /// Sets the alarm to a time of the launch's clock; nil for none.
  func set(to time: BridgeInstant?, of launch: OnsideLaunch) {
    guard time != self.time else { return }
    end()
    self.launch = launch
    self.time = time
    guard let time else { return }
    // A task of its own: no call of a page is the cause of a renewal.
    task = Task.detached { [weak self, clock = launch.clock] in
      do { try await clock.sleep(until: time) } catch { return }
      await self?.fire()
    }
  }

  /// Switches the alarm off.
  func end() {
    task?.cancel()
    task = nil
    time = nil
  }

  private func fire() {
    if Task.isCancelled { return }
    time = nil
    launch?.alarmFired()
  }
}

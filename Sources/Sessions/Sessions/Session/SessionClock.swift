package import BridgeRuntime
import Synchronization

/// A session's own clock. It shows the server's time until it is frozen or set.
///
/// A sleep ends when the clock reaches its deadline, whether time passes or a test sets the clock.
package final class SessionClock: BridgeClock {
  private struct State {
    var time: SessionTime
    var nextSleeper = 0
    var deadlines: [Int: BridgeInstant] = [:]
    var alarm: Task<Void, Never>?
  }

  private let server: any BridgeClock
  /// The clock on which callers sleep. It is advanced when this clock may have reached a deadline.
  private let hands: ManualBridgeClock
  private let state: Mutex<State>

  /// Creates a clock that shows `time`, relative to the server's clock.
  init(_ time: SessionTime, server: any BridgeClock) {
    self.server = server
    hands = ManualBridgeClock(now: time.now(server.now))
    state = Mutex(State(time: time))
  }

  deinit {
    state.withLock { $0.alarm?.cancel() }
  }

  /// The current time of the clock.
  package var now: BridgeInstant {
    let serverNow = server.now
    return state.withLock { $0.time.now(serverNow) }
  }

  /// The time of the clock, relative to the server's.
  package var time: SessionTime { state.withLock { $0.time } }

  /// Freezes the clock, or lets it continue from its current time.
  func setFrozen(_ isFrozen: Bool) {
    let serverNow = server.now
    state.withLock { $0.time.setFrozen(isFrozen, serverNow) }
    tick()
  }

  /// Sets the clock to `now`, and ends sleeps whose deadline has come.
  func set(_ now: BridgeInstant) {
    let serverNow = server.now
    state.withLock { $0.time.set(now, serverNow) }
    tick()
  }

  /// Sets the clock back to `time`, relative to the server's clock.
  func rollBack(to time: SessionTime) {
    state.withLock { $0.time = time }
    tick()
  }

  package func sleep(until deadline: BridgeInstant) async throws {
    let sleeper = state.withLock { state in
      state.nextSleeper += 1
      state.deadlines[state.nextSleeper] = deadline
      return state.nextSleeper
    }
    defer { state.withLock { $0.deadlines[sleeper] = nil } }
    tick()
    try await hands.sleep(until: deadline)
  }

  /// Advances ``hands`` to the current time, and schedules the next advance for the next deadline.
  private func tick() {
    let serverNow = server.now
    state.withLock { state in
      state.alarm?.cancel()
      state.alarm = nil
      let now = state.time.now(serverNow)
      hands.advance(to: now)
      guard !state.time.isFrozen, let next = state.deadlines.values.filter({ $0 > now }).min() else { return }
      state.alarm = Task { [weak self, server] in
        do { try await server.sleep(until: serverNow.advanced(by: now.duration(to: next))) } catch { return }
        self?.tick()
      }
    }
  }
}

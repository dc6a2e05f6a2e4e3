package import BridgeRuntime
import Synchronization

/// A session's own clock: the server's, until it is stopped or put forward.
///
/// Whoever sleeps by it sleeps until it shows the moment, however it gets there.
package final class SessionClock: BridgeClock {
  private struct State {
    var time: SessionTime
    var nextSleeper = 0
    var deadlines: [Int: BridgeInstant] = [:]
    var alarm: Task<Void, Never>?
  }

  private let server: any BridgeClock
  /// Where everyone sleeps; moved on whenever the clock may have reached a deadline.
  private let hands: ManualBridgeClock
  private let state: Mutex<State>

  /// Creates a clock that shows `time` beside the server's.
  init(_ time: SessionTime, server: any BridgeClock) {
    self.server = server
    hands = ManualBridgeClock(now: time.now(server.now))
    state = Mutex(State(time: time))
  }

  deinit {
    state.withLock { $0.alarm?.cancel() }
  }

  /// The moment that the clock shows.
  package var now: BridgeInstant {
    let serverNow = server.now
    return state.withLock { $0.time.now(serverNow) }
  }

  /// What the clock shows, beside the server's.
  package var time: SessionTime { state.withLock { $0.time } }

  /// Stops the clock, or has it go on from where it stands.
  func setFrozen(_ isFrozen: Bool) {
    let serverNow = server.now
    state.withLock { $0.time.setFrozen(isFrozen, serverNow) }
    tick()
  }

  /// Puts the clock to `now`, and wakes whoever's time has come.
  func set(_ now: BridgeInstant) {
    let serverNow = server.now
    state.withLock { $0.time.set(now, serverNow) }
    tick()
  }

  /// Has the clock show `time` beside the server's, as it did before.
  func goBack(to time: SessionTime) {
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

  /// Moves the hands to the present moment, and sees to it that they are moved again when the next deadline comes.
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

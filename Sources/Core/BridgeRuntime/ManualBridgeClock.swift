import Synchronization

/// A clock that stands still until ``advance(by:)`` moves it: for tests, and for clocks that wake their sleepers
/// themselves.
///
/// ```swift
/// let clock = ManualBridgeClock()
/// let waiting = Task { try await clock.sleep(for: .seconds(60)) }
/// // …
/// clock.advance(by: .seconds(60))  // `waiting` ends
/// ```
public final class ManualBridgeClock: BridgeClock {
  private struct Sleeper {
    let deadline: BridgeInstant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now: BridgeInstant
    var nextSleeper = 0
    var sleepers: [Int: Sleeper] = [:]
    var cancelled: Set<Int> = []
  }

  private let state: Mutex<State>

  /// Creates a clock that shows `now`; by default a moment in October 2025.
  public init(now: BridgeInstant = BridgeInstant(millisecondsSinceEpoch: 1_760_000_000_000)) {
    state = Mutex(State(now: now))
  }

  /// The moment that the clock shows.
  public var now: BridgeInstant { state.withLock { $0.now } }

  /// How many tasks sleep on this clock.
  public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// Moves the clock forward and wakes the sleepers whose deadline has come, earliest first.
  public func advance(by duration: Duration) {
    advance(to: now.advanced(by: duration))
  }

  /// Sets the clock to `now` and wakes the sleepers whose deadline has come, earliest first.
  public func advance(to now: BridgeInstant) {
    let due = state.withLock { state in
      state.now = now
      let due = state.sleepers.filter { $0.value.deadline <= now }
      for key in due.keys { state.sleepers[key] = nil }
      return due.sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }
    }
    for (_, sleeper) in due { sleeper.continuation.resume() }
  }

  /// Suspends until the clock reaches `deadline`.
  ///
  /// - Throws: `CancellationError` when the task is cancelled first.
  public func sleep(until deadline: BridgeInstant) async throws {
    let id = state.withLock { state in
      state.nextSleeper += 1
      return state.nextSleeper
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome = state.withLock { state -> Result<Void, any Error>? in
          if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
          if deadline <= state.now { return .success(()) }
          state.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
          return nil
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        let sleeper = state.sleepers.removeValue(forKey: id)
        if sleeper == nil { state.cancelled.insert(id) }
        return sleeper
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
    _ = state.withLock { $0.cancelled.remove(id) }
  }
}

import BridgeRuntime

/// Writes changed sessions to the store. The changes of one turn are written and synced together. So are changes made while the store is
/// busy.
@BridgeActor
final class StateWriter {
  /// The maximum time that changes wait for more changes, after the store was busy.
  private static let longestWait = Duration.milliseconds(5)

  private let store: SessionStore
  private let metrics: SessionMetrics
  private let ownership: SessionOwnership?
  /// Called when the store has turned out to be damaged.
  var onDamage: (() async -> Void)?
  /// Called with a session that the store has refused to write, since another server has it.
  var onMoved: ((SessionKey) -> Void)?
  /// The states that have changed since the store began to write.
  private var changed: [SessionState] = []
  private var isWriting = false
  /// The number of states that are being written.
  private var writtenCount = 0
  /// What the present changes wait for, and the number of changes that ends the wait.
  private var wait: (task: Task<Void, Never>, count: Int)?

  init(
    _ store: SessionStore, _ metrics: SessionMetrics = SessionMetrics(), _ ownership: SessionOwnership? = nil
  ) {
    self.store = store
    self.metrics = metrics
    self.ownership = ownership
  }

  /// The number of states that wait to be written or are being written.
  var queueCount: Int { changed.count + writtenCount }

  /// Writes a changed state. It is asked for its change when the store is ready.
  func write(_ state: SessionState) {
    changed.append(state)
    if let wait, changed.count >= wait.count { wait.task.cancel() }
    if isWriting { return }
    isWriting = true
    // The task begins when the turn is over. It serves many sessions, so nothing in it is caused by the current turn.
    Journal.$cause.withValue(nil) {
      _ = BridgeActor.begin { await self.writeAll() }
    }
  }

  private func writeAll() async {
    while !changed.isEmpty {
      let taken = changed.compactMap { state in state.takeChange().map { (state, $0) } }
      changed = []
      writtenCount = taken.count
      let start = MonotonicTime.nanoseconds
      let failures = await keep(taken.map(\.1))
      let duration = MonotonicTime.nanoseconds - start
      writtenCount = 0
      metrics.writeDurations.count(duration)
      metrics.failedChanges += failures.count
      // Pages of a session that has moved are told nothing: they ask its new owner again.
      for (index, failure) in failures where failure.isFenced { onMoved?(taken[index].0.key) }
      for (index, (state, change)) in taken.enumerated() {
        if let failure = failures[index] { state.wasLost(change, failure) } else { state.wasKept(change) }
      }
      if failures.values.contains(where: \.isDamage) { await onDamage?() }
      if failures.isEmpty, !changed.isEmpty {
        await waitForMore(taken.count, atMost: min(.nanoseconds(duration / 4), Self.longestWait))
      }
    }
    isWriting = false
  }

  /// Stores changes. With several servers on one store, each carries the fence of its session, which is claimed first if it is new.
  private func keep(_ changes: [SessionChange]) async -> [Int: StoreFailure] {
    guard let ownership else { return await store.keep(changes) }
    var failureOfClaim = StoreFailure.fenced
    let new = Set(changes.flatMap(\.ownedKeys)).filter { ownership.fence(of: $0) == nil }.sorted()
    if !new.isEmpty {
      do { _ = try await ownership.claim(new) } catch { failureOfClaim = .database(error) }
    }
    var failures: [Int: StoreFailure] = [:]
    var owned: [(index: Int, change: SessionChange)] = []
    for (index, var change) in changes.enumerated() {
      let keys = change.ownedKeys
      change.fences = keys.compactMap { ownership.fence(of: $0) }
      if change.fences.count < keys.count { failures[index] = failureOfClaim } else { owned.append((index, change)) }
    }
    for (index, failure) in await store.keep(owned.map(\.change)) { failures[owned[index].index] = failure }
    return failures
  }

  /// Waits briefly until this many more states have changed.
  ///
  /// A caller whose change is stored often makes the next one at once, which can then be synced with the others. Without the wait, two
  /// halves of the callers would take turns, each waiting for the other's sync.
  private func waitForMore(_ count: Int, atMost duration: Duration) async {
    let task = BridgeActor.begin { try? await Task.sleep(for: duration) }
    wait = (task, changed.count + count)
    await task.value
    wait = nil
  }
}

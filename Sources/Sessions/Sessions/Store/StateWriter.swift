import BridgeCore
import BridgeRuntime

/// Writes changed sessions to the store. The changes of one turn are written and synced together, and so are the changes that are made
/// while the store is busy.
@BridgeActor
final class StateWriter {
  /// The maximum time for which changes wait for more changes, after the store was busy.
  private static let longestWait = Duration.milliseconds(5)

  private let store: SessionStore
  private let metrics: SessionMetrics
  private let ownership: any Ownership
  /// Called when the store may be damaged.
  var onDamage: (() async -> Void)?
  /// Called with a session that was not written, since another server owns it.
  var onMoved: ((SessionKey) -> Void)?
  /// The states that have changed since the last write began.
  private var changed: [SessionState] = []
  private var isWriting = false
  /// The number of states that are being written.
  private var writtenCount = 0
  /// The current wait for more changes, and the number of changes that ends it early.
  private var wait: (task: Task<Void, Never>, count: Int)?

  init(
    _ store: SessionStore, _ metrics: SessionMetrics = SessionMetrics(), _ ownership: any Ownership = SoleOwner()
  ) {
    self.store = store
    self.metrics = metrics
    self.ownership = ownership
  }

  /// The number of states that wait to be written or are being written.
  var queueCount: Int { changed.count + writtenCount }

  /// Schedules a write of a changed state. The change is taken from the state when the store is ready.
  func write(_ state: SessionState) {
    changed.append(state)
    if let wait, changed.count >= wait.count { wait.task.cancel() }
    if isWriting { return }
    isWriting = true
    // The task begins after the current turn and serves many sessions. So the current turn is not the cause of its journal entries.
    MessageCause.$current.withValue(nil) {
      _ = BridgeActor.begin { await self.writeAll() }
    }
  }

  private func writeAll() async {
    while !changed.isEmpty {
      let taken = changed.compactMap { state in state.takeChange().map { (state, $0) } }
      changed = []
      writtenCount = taken.count
      let start = MonotonicTime.nanoseconds
      let failures = await save(taken.map(\.1))
      let duration = MonotonicTime.nanoseconds - start
      writtenCount = 0
      metrics.writeDurations.count(duration)
      metrics.failedChanges += failures.count
      // Pages of a session that has moved get no answer. They repeat their calls at the new owner.
      for (index, failure) in failures where failure.isFenced { onMoved?(taken[index].0.key) }
      for (index, (state, change)) in taken.enumerated() {
        if let failure = failures[index] { state.wasLost(change, failure) } else { state.wasStored(change) }
      }
      if failures.values.contains(where: \.mayBeDamage) { await onDamage?() }
      if failures.isEmpty, !changed.isEmpty {
        await waitForMore(taken.count, atMost: min(.nanoseconds(duration / 4), Self.longestWait))
      }
    }
    isWriting = false
  }

  /// Stores changes. If several servers share the store, claims new sessions first and adds the fence of each session.
  private func save(_ changes: [SessionChange]) async -> [Int: StoreFailure] {
    guard ownership.isShared else { return await store.save(changes) }
    var failureOfClaim = StoreFailure.fenced
    let new = Set(changes.flatMap(\.ownedKeys)).filter { ownership.fence(of: $0) == nil }.sorted()
    if !new.isEmpty {
      do { try await ownership.claim(new) } catch { failureOfClaim = .database(error) }
    }
    var failures: [Int: StoreFailure] = [:]
    var owned: [(index: Int, change: SessionChange)] = []
    for (index, var change) in changes.enumerated() {
      let keys = change.ownedKeys
      change.fences = keys.compactMap { ownership.fence(of: $0) }
      if change.fences.count < keys.count { failures[index] = failureOfClaim } else { owned.append((index, change)) }
    }
    for (index, failure) in await store.save(owned.map(\.change)) { failures[owned[index].index] = failure }
    return failures
  }

  /// Waits briefly until this many more states have changed.
  ///
  /// When its change is stored, a caller often makes the next change at once. After a short wait, it can be synced together with those of the
  /// other callers. Without the wait, the callers would split into two halves, and each half would wait for the sync of the other.
  private func waitForMore(_ count: Int, atMost duration: Duration) async {
    let task = BridgeActor.begin { try? await Task.sleep(for: duration) }
    wait = (task, changed.count + count)
    await task.value
    wait = nil
  }
}

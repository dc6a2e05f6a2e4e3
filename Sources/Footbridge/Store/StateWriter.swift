import BridgeRuntime

/// Takes what has changed of sessions to their store: the changes of one turn are written and synced together, and so is what has changed
/// while the store was busy.
@BridgeActor
final class StateWriter {
  private let store: SessionStore
  /// The states that have changed since the store began to write.
  private var changed: [SessionState] = []
  private var isWriting = false

  init(_ store: SessionStore) {
    self.store = store
  }

  /// Has a state written that has changed. It is asked for its change when the store is ready for it.
  func write(_ state: SessionState) {
    changed.append(state)
    if isWriting { return }
    isWriting = true
    // The task begins when the turn is over. It is many sessions': nothing that comes of it is caused by what happens in this one.
    Journal.$cause.withValue(nil) {
      _ = BridgeActor.begin { await self.writeAll() }
    }
  }

  private func writeAll() async {
    while !changed.isEmpty {
      let taken = changed.compactMap { state in state.takeChange().map { (state, $0) } }
      changed = []
      do {
        try await store.keep(taken.map(\.1))
        for (state, change) in taken { state.wasKept(change) }
      } catch {
        for (state, change) in taken { state.wasLost(change, error) }
      }
    }
    isWriting = false
  }
}

import BridgeRuntime

/// Sessions that begin with a snapshot.
extension SessionRegistry {
  /// The same snapshot as long as no other session of the server has its orders; otherwise with new ids. A file can be imported twice, and
  /// the Merchant API finds the session of an order by its id.
  ///
  /// - Throws: An error if the store cannot be read.
  package func withFreeIDs(_ snapshot: SessionSnapshot, name: String = "") async throws -> SessionSnapshot {
    for state in snapshot.states where try await isTaken(state) { return withNewIDs(snapshot, name: name) }
    return snapshot
  }

  /// The same with new ids, for a session of this name.
  package func withNewIDs(_ snapshot: SessionSnapshot, name: String = "") -> SessionSnapshot {
    snapshot.withNewServerWideIDs(randomOfOrders(name))
  }

  private func isTaken<State: BridgeState>(_ state: State) async throws -> Bool {
    let ids = state.serverWideIDs
    if ids.isEmpty { return false }
    let isRunning = sessionByKey.values.contains { session in
      session.state.record[State.self].map { !$0.serverWideIDs.isDisjoint(with: ids) } ?? false
    }
    if isRunning { return true }
    return try await store?.read { try State.isStored(oneOf: ids, in: $0) } ?? false
  }
}

import BridgeRuntime

/// What sessions begin with: the usual record, their world, or a snapshot.
extension SessionRegistry {
  /// The world that sessions usually join; nil if each has a world of its own.
  package var usualWorld: String? { newRecord.worldName }

  /// The record of a new session. If other servers share the store, its world has changed since this one has started.
  func presentNewRecord() async throws -> SessionRecord {
    guard ownership != nil, let usualWorld else { return newRecord }
    return try await newRecord.joining(world: usualWorld, store)
  }

  /// What a session in another world than the usual one begins with; nil for a world of its own.
  ///
  /// - Throws: An error if the store cannot be read.
  package func snapshot(joining world: String?) async throws -> SessionSnapshot {
    if let world { try await own(world: world) }
    let record = try await newRecord.joining(world: world, store)
    var snapshot = SessionSnapshot(profile: record.profile, states: record.states, clock: nil)
    snapshot.isNew = true
    return snapshot
  }

  /// What a session in the usual world begins with, if other servers share that world; nil if this server knows what it has.
  package func snapshotOfUsualWorld() async throws -> SessionSnapshot? {
    guard ownership != nil, let usualWorld else { return nil }
    return try await snapshot(joining: usualWorld)
  }

  /// What a session of the same person's other device begins with. The two share their world from now on.
  package func snapshot(forNewDeviceOf session: Session) -> SessionSnapshot {
    for bridge in session.bridges { bridge.shareWorld() }
    var snapshot = session.snapshot
    snapshot.states = session.state.record.statesLeft(by: .newDevice, new: newRecord)
    snapshot.profile = SessionProfile()
    for bridge in session.bridgeTable.definitions {
      snapshot.profile[bridge.name] = bridge.profileOfNewDevice(session.profile[bridge.name])
    }
    return snapshot
  }

  /// What a session of a browser begins with; nil for an app that was just installed.
  func newStored() async throws -> StoredSession? {
    guard let beginning else { return nil }
    return StoredSession(record: try await withFreeIDs(beginning).record(at: clock.now), pages: [:])
  }

  // MARK: Ids

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

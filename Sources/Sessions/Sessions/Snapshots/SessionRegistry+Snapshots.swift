import BridgeRuntime

/// What sessions begin with: the usual record, their world, or a snapshot.
extension SessionRegistry {
  /// The world that new sessions join; nil if they share none.
  package var usualWorld: String? { newRecord.worldName }

  /// Returns the record of a new session. If other servers share the store, reads the world again, since they may have changed it.
  func presentNewRecord() async throws -> SessionRecord {
    guard ownership.isShared, let usualWorld else { return newRecord }
    return try await newRecord.joining(world: usualWorld, store)
  }

  /// Returns the snapshot with which a session in a given world begins. `world` is nil for a session that shares no world.
  ///
  /// - Throws: ``SessionElsewhere`` if another replica owns the world; an error if the store cannot be read.
  package func snapshot(joining world: String?) async throws -> SessionSnapshot {
    if let world { try await own(world: world) }
    let record = try await newRecord.joining(world: world, store)
    var snapshot = SessionSnapshot(profile: record.profile, states: record.states, clock: nil)
    snapshot.isNew = true
    return snapshot
  }

  /// Returns the snapshot with which a session in the usual world begins; nil if no other server shares the world.
  package func snapshotOfUsualWorld() async throws -> SessionSnapshot? {
    guard ownership.isShared, let usualWorld else { return nil }
    return try await snapshot(joining: usualWorld)
  }

  /// Returns the snapshot with which another device of the same person begins. The two sessions share their world from now on.
  package func snapshot(forNewDeviceOf session: Session) -> SessionSnapshot {
    session.tell(.otherDeviceBegins)
    var snapshot = session.snapshot
    snapshot.states = session.state.record.statesRemaining(by: .newDevice, new: newRecord)
    snapshot.profile = SessionProfile()
    for bridge in session.bridgeTable.definitions {
      snapshot.profile[bridge.name] = bridge.profile.ofNewDevice(session.profile[bridge.name])
    }
    return snapshot
  }

  /// Returns the state with which a browser's new session begins; nil for a newly installed app.
  func newStored() async throws -> StoredSession? {
    guard let initialSnapshot else { return nil }
    return StoredSession(record: try await withFreeIDs(initialSnapshot).record(at: clock.now), pages: [:])
  }

  // MARK: Ids

  /// Returns the snapshot, with new ids of orders if another session of the server already has one of its orders. A file can be imported
  /// twice, and the Merchant API finds the session of an order by the order's id.
  ///
  /// Launch the session without another `await`: until then, nobody knows that it has these ids.
  ///
  /// - Throws: An error if the store cannot be read.
  package func withFreeIDs(_ snapshot: SessionSnapshot, name: String = "") async throws -> SessionSnapshot {
    for state in snapshot.states where try await isStored(state) { return withNewIDs(snapshot, name: name) }
    // The sessions that run now, since some may have been launched while the store was read.
    return snapshot.states.contains { isRunning($0) } ? withNewIDs(snapshot, name: name) : snapshot
  }

  /// Returns the snapshot with new ids of orders, for a session of this name.
  package func withNewIDs(_ snapshot: SessionSnapshot, name: String = "") -> SessionSnapshot {
    snapshot.withNewServerWideIDs(randomOfOrders(name))
  }

  private func isStored<State: BridgeState>(_ state: State) async throws -> Bool {
    let ids = state.serverWideIDs
    if ids.isEmpty { return false }
    return try await store?.read { try State.isStored(oneOf: ids, in: $0) } ?? false
  }

  private func isRunning<State: BridgeState>(_ state: State) -> Bool {
    let ids = state.serverWideIDs
    if ids.isEmpty { return false }
    return sessionByKey.values.contains { session in
      session.state.record[State.self].map { !$0.serverWideIDs.isDisjoint(with: ids) } ?? false
    }
  }
}

package import BridgeRuntime

/// Sessions of several servers that share a store. Each session runs on one of them.
extension SessionRegistry: OwnershipDelegate {
  package var neededKeys: Set<String> {
    var keys: Set<String> = []
    for session in sessionByKey.values {
      keys.insert(session.key.rawValue)
      if let world = session.state.record.worldName { keys.insert(SessionFence.key(ofWorld: world)) }
    }
    return keys
  }

  package func leaseBegan() { continueWork() }

  package func leaseRenewed() { server.refresh() }

  package func ownershipLost(of keys: [String]) {
    for key in keys { abandon(SessionKey(rawValue: key)) }
  }

  /// Continues the work that needs no page, also that of servers that have ended.
  package func continueWork() { server.begin() }

  /// The key of the running session with this id.
  package func runningKey(ofID id: String) -> String? { running(id: id)?.key.rawValue }

  /// The key of the stored session with this id; nil if it is unknown.
  ///
  /// - Throws: An error if the store cannot be read.
  package func storedKey(ofID id: String) async throws -> String? { try await store?.key(ofID: id) }

  /// Claims a session.
  ///
  /// - Throws: ``SessionElsewhere`` if another replica owns it; an error if the database cannot be reached.
  func own(_ key: SessionKey) async throws {
    try await ownership.own(key.rawValue)
  }

  /// Claims the world that a new session is about to share.
  ///
  /// - Throws: ``SessionElsewhere`` if another replica owns it; an error if the database cannot be reached.
  func own(world name: String) async throws {
    try await own(SessionKey(rawValue: SessionFence.key(ofWorld: name)))
  }

  /// Checks that this replica still owns a session that it has claimed.
  ///
  /// - Throws: ``SessionElsewhere`` if it does not.
  func checkOwned(_ key: SessionKey) throws(SessionElsewhere) {
    guard !ownership.owns(key.rawValue) else { return }
    throw SessionElsewhere(key: key.rawValue, address: nil)
  }

  /// Ends a session here that another replica may run. Stores nothing more. The pages' sockets close, and the pages come back to the other
  /// replica.
  func abandon(_ key: SessionKey) {
    guard let session = sessionByKey[key] else { return }
    session.onEmpty = nil
    session.onKill = nil
    forget(session)
    session.abandon()
    session.journal.end(.moved)
  }
}

/// What servers on one database share besides sessions.
extension SessionRegistry {
  /// Remembers a token at all servers on the database. Returns whether it is new; always true if no other server shares the store.
  ///
  /// - Throws: An error if the database cannot be reached.
  package func use(token id: String, until end: BridgeInstant, now: BridgeInstant) async throws -> Bool {
    guard ownership.isShared, let store else { return true }
    return try await store.use(token: id, until: end, now: now)
  }
}

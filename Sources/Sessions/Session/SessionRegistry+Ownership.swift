import BridgeRuntime

/// The sessions of a server that shares its store with others: each runs on one of them.
extension SessionRegistry {
  /// The sessions that may belong to others end here.
  func beginOwnership() {
    guard let ownership else { return }
    ownership.usualWorld = usualWorld
    ownership.onRenewed = { [weak self] in self?.server.refresh() }
    ownership.neededKeys = { [weak self] in
      var keys: Set<String> = []
      for session in self?.sessionByKey.values ?? [:].values {
        keys.insert(session.key.rawValue)
        if let world = session.state.record.worldName { keys.insert(SessionFence.key(ofWorld: world)) }
      }
      return keys
    }
    writer?.onMoved = { [weak self] key in
      ownership.lost(key.rawValue)
      // A new session was never owned.
      self?.abandon(key)
    }
    ownership.onLoss = { [weak self] keys in
      for key in keys { self?.abandon(SessionKey(rawValue: key)) }
    }
  }

  /// Goes on with the work that waits for no page, also that of servers that have ended.
  package func continueWork() { server.begin() }

  /// The key of the running session with this id.
  package func runningKey(ofID id: String) -> String? { running(id: id)?.key.rawValue }

  /// The key of the stored session with this id; nil if it is unknown.
  ///
  /// - Throws: If the store cannot be read.
  package func storedKey(ofID id: String) async throws -> String? { try await store?.key(ofID: id) }

  /// Claims a session.
  ///
  /// - Throws: ``SessionElsewhere`` if it is another replica's; an error if the database cannot be reached.
  func own(_ key: SessionKey) async throws {
    guard let ownership else { return }
    switch try await ownership.claim(key.rawValue) {
    case .mine: break
    case .others(let replica): throw SessionElsewhere(key: key.rawValue, replica: replica)
    case .leaseEnded: throw SessionElsewhere(key: key.rawValue, replica: nil)
    }
  }

  /// Claims the world that a new session is about to share.
  ///
  /// - Throws: ``SessionElsewhere`` if it is another replica's; an error if the database cannot be reached.
  func own(world name: String) async throws {
    try await own(SessionKey(rawValue: SessionFence.key(ofWorld: name)))
  }

  /// Checks that a session that was claimed is not lost yet.
  ///
  /// - Throws: ``SessionElsewhere``.
  func checkOwned(_ key: SessionKey) throws(SessionElsewhere) {
    guard let ownership, !ownership.owns(key.rawValue) else { return }
    throw SessionElsewhere(key: key.rawValue, replica: nil)
  }

  /// Ends a session that another replica may run. Nothing more is stored, its pages lose their sockets, and come back to the other one.
  func abandon(_ key: SessionKey) {
    guard let session = sessionByKey[key] else { return }
    session.onEmpty = nil
    session.onKill = nil
    forget(session)
    session.abandon()
    session.journal.end()
  }
}

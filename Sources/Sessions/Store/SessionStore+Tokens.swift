package import BridgeRuntime
import Cryptography
import Synchronization

/// Several servers on one database: what one of them has accepted once, the others refuse.
extension SessionStore {
  /// Remembers a token, and says whether it is new.
  ///
  /// - Parameters:
  ///   - id: The token's id, of any text.
  ///   - end: When the token ends, and is forgotten.
  /// - Throws: ``StoreFailure``.
  func use(token id: String, until end: BridgeInstant, now: BridgeInstant) async throws -> Bool {
    let hash = Hexadecimal.text(SHA256.hash(id))
    let (now, end) = (Int(now.millisecondsSinceEpoch), Int(end.millisecondsSinceEpoch))
    let isNew = Mutex(false)
    try await write { transaction in
      try transaction.run("DELETE FROM usedToken WHERE endsAt <= ?", .integer(now))
      let row = try transaction.row(
        "INSERT INTO usedToken (id, endsAt) VALUES (?, ?) ON CONFLICT (id) DO NOTHING RETURNING 1", .text(hash),
        .integer(end))
      isNew.withLock { $0 = row != nil }
    }
    return isNew.withLock { $0 }
  }
}

extension SessionRegistry {
  /// Uses a token at all servers on the database, and says whether it is new. A server that shares its store with no other says yes.
  ///
  /// - Throws: An error if the database cannot be reached.
  package func use(token id: String, until end: BridgeInstant, now: BridgeInstant) async throws -> Bool {
    guard ownership != nil, let store else { return true }
    return try await store.use(token: id, until: end, now: now)
  }
}

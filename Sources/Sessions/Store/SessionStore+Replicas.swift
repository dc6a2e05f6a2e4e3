package import BridgeRuntime
import Cryptography
import Synchronization

/// Several servers on one database: what one of them writes is still its own.
extension SessionStore {
  /// Checks that sessions and worlds still belong to the server that writes them, and keeps it so until the end of the transaction, which
  /// fails with ``StoreFailure/fenced`` if one does not.
  static func check(_ fences: Set<SessionFence>, in transaction: any StoreTransaction) throws {
    guard let replicaID = fences.first?.replicaID else { return }
    let fences = Array(fences)
    let separator = StoreValue.text(StoreReplicaTable.separator)
    try transaction.run(
      "SELECT checkFences(string_to_array(?, ?), ?, CAST(string_to_array(?, ?) AS bigint[]))",
      StoreReplicaTable.list(fences.map(\.key)), separator, .text(replicaID),
      StoreReplicaTable.list(fences.map { String($0.number) }), separator)
  }

  /// Owns those of these sessions that nobody owns, until the transaction ends. Who claims one meanwhile waits, also if the claim has begun
  /// before and cannot be seen yet.
  static func hold(
    _ keys: [String], for replica: Replica, in transaction: any StoreTransaction
  ) throws -> [String] {
    try transaction.rows(
      """
      INSERT INTO sessionOwner (sessionKey, replicaID, fence)
      SELECT wanted.key, replica.id, 1 FROM unnest(string_to_array(?, ?)) AS wanted(key), replica
      WHERE replica.id = ? ORDER BY wanted.key COLLATE "C" ON CONFLICT (sessionKey) DO NOTHING RETURNING sessionKey
      """, StoreReplicaTable.list(keys), .text(StoreReplicaTable.separator), .text(replica.id)
    ).map { try $0[0].text() }
  }

  /// Ends that.
  static func letGo(_ keys: [String], of replica: Replica, in transaction: any StoreTransaction) throws {
    try transaction.run(
      "DELETE FROM sessionOwner WHERE sessionKey = ANY(string_to_array(?, ?)) AND replicaID = ?",
      StoreReplicaTable.list(keys), .text(StoreReplicaTable.separator), .text(replica.id))
  }
}

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

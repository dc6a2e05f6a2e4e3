import BridgeRuntime
import Cryptography

/// Protects the sessions of several servers on one database: a server writes only those that it owns.
extension SessionStore {
  /// Checks that the server that writes still owns these sessions and worlds. No other server can claim them before the transaction ends.
  ///
  /// - Throws: If the server has lost one of them. The transaction then fails with ``StoreFailure/fenced``.
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

/// Tokens that can be used once, at all servers on one database together.
extension SessionStore {
  /// Remembers a token. Returns whether it is new.
  ///
  /// - Parameters:
  ///   - id: The token's id; any text.
  ///   - end: The time when the token expires and is forgotten.
  /// - Throws: ``StoreFailure``.
  func use(token id: String, until end: BridgeInstant, now: BridgeInstant) async throws -> Bool {
    let hash = Hexadecimal.text(SHA256.hash(id))
    let (now, end) = (Int(now.millisecondsSinceEpoch), Int(end.millisecondsSinceEpoch))
    return try await write { transaction in
      try transaction.run("DELETE FROM usedToken WHERE endsAt <= ?", .integer(now))
      let row = try transaction.row(
        "INSERT INTO usedToken (id, endsAt) VALUES (?, ?) ON CONFLICT (id) DO NOTHING RETURNING 1", .text(hash),
        .integer(end))
      return row != nil
    }
  }
}

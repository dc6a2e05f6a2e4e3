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

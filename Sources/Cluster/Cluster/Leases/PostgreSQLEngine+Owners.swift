package import Sessions

/// Protects the sessions of several servers on one database: a server writes only those that it owns.
extension PostgreSQLEngine {
  package func check(_ fences: Set<SessionFence>, in transaction: any StoreTransaction) throws {
    guard let replicaID = fences.first?.replicaID else { return }
    let fences = Array(fences)
    let separator = StoreValue.text(StoreReplicaTable.separator)
    try transaction.run(
      "SELECT checkFences(string_to_array(?, ?), ?, CAST(string_to_array(?, ?) AS bigint[]))",
      StoreReplicaTable.list(fences.map(\.key)), separator, .text(replicaID),
      StoreReplicaTable.list(fences.map { String($0.number) }), separator)
  }

  package func hold(
    _ keys: [String], for replica: String, in transaction: any StoreTransaction
  ) throws -> [String] {
    try transaction.rows(
      """
      INSERT INTO sessionOwner (sessionKey, replicaID, fence)
      SELECT wanted.key, replica.id, 1 FROM unnest(string_to_array(?, ?)) AS wanted(key), replica
      WHERE replica.id = ? ORDER BY wanted.key COLLATE "C" ON CONFLICT (sessionKey) DO NOTHING RETURNING sessionKey
      """, StoreReplicaTable.list(keys), .text(StoreReplicaTable.separator), .text(replica)
    ).map { try $0[0].text() }
  }

  package func release(_ keys: [String], of replica: String, in transaction: any StoreTransaction) throws {
    try transaction.run(
      "DELETE FROM sessionOwner WHERE sessionKey = ANY(string_to_array(?, ?)) AND replicaID = ?",
      StoreReplicaTable.list(keys), .text(StoreReplicaTable.separator), .text(replica))
  }
}

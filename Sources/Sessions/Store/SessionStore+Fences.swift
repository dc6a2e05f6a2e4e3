/// Several servers on one database: what one of them writes is still its own.
extension SessionStore {
  /// Checks that sessions and worlds still belong to the server that writes them, and keeps it so until the end of the transaction.
  ///
  /// - Throws: ``StoreFailure/fenced`` if one does not.
  static func checkFences(of changes: [SessionChange], in transaction: any StoreTransaction) throws {
    let fences = Set(changes.flatMap(\.fences))
    guard let replicaID = fences.first?.replicaID else { return }
    // A take-over of one of them waits until the transaction is over, or has come before.
    let sql = """
      SELECT sessionKey, fence FROM sessionOwner
      WHERE sessionKey = ANY(string_to_array(?, ?)) AND replicaID = ? ORDER BY sessionKey FOR SHARE
      """
    let keys = StoreReplicaTable.list(fences.map(\.key))
    let rows = try transaction.rows(sql, keys, .text(StoreReplicaTable.separator), .text(replicaID))
    var found: Set<SessionFence> = []
    for row in rows {
      found.insert(SessionFence(key: try row[0].text(), replicaID: replicaID, number: try row[1].integer()))
    }
    guard fences.isSubset(of: found) else { throw StoreFailure.fenced }
  }
}

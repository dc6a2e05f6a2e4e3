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
}

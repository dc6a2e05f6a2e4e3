package import BridgeRuntime

/// The answers of all servers on one database to requests with an `Idempotency-Key`.
///
/// A row names the server that handles a request, so that no other server handles it too. When that server's lease ends, another server
/// may handle the request.
package struct SharedAnswers: Sendable {
  /// The id of this replica.
  package let holder: String
  let store: SessionStore

  /// An SQL expression for the database's time in milliseconds.
  private static let now = "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS bigint)"

  /// Decides whether this server handles a request, and notes that it does.
  ///
  /// - Parameter answer: The row of the request, still without the answer.
  /// - Throws: ``StoreFailure``.
  package func begin(_ answer: KeptAnswer, at now: BridgeInstant) async throws -> KeptAnswer.Verdict {
    try await store.write { [holder] in try Self.begin(answer, holder, at: now, in: $0) }
  }

  private static func begin(
    _ answer: KeptAnswer, _ holder: String, at now: BridgeInstant, in transaction: any StoreTransaction
  ) throws -> KeptAnswer.Verdict {
    let sql = """
      INSERT INTO controlAnswer AS kept (id, request, endsAt, answer, holder) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET request = EXCLUDED.request, endsAt = EXCLUDED.endsAt, answer = EXCLUDED.answer,
      holder = EXCLUDED.holder
      WHERE kept.endsAt <= ? OR kept.holder IS NOT NULL AND NOT EXISTS
      (SELECT 1 FROM replica WHERE id = kept.holder AND leaseEnd > \(SharedAnswers.now))
      RETURNING 1
      """
    let begun = try transaction.row(
      sql, .text(answer.id), .blob(answer.request), .integer(Int(answer.end.millisecondsSinceEpoch)), .blob([]),
      .text(holder), .integer(Int(now.millisecondsSinceEpoch)))
    if begun != nil { return .new }
    let row = try transaction.row(
      "SELECT request, answer, holder IS NULL FROM controlAnswer WHERE id = ?", .text(answer.id))
    guard let row else { return .underWay }
    guard try row[0].requiredBytes() == answer.request else { return .otherRequest }
    return try row[2].integer() == 1 ? .repeated(try row[1].requiredBytes()) : .underWay
  }

  /// Stores the answer to a request, unless it was stored together with the effect of the request.
  ///
  /// - Throws: ``StoreFailure``.
  package func finish(_ answer: KeptAnswer) async throws {
    try await store.write { [holder] transaction in
      _ = try SessionStore.finish(answer, of: holder, in: transaction)
    }
  }

  /// Forgets a request that had no effect, so that it can be sent again.
  ///
  /// - Throws: ``StoreFailure``.
  package func forget(_ id: String) async throws {
    try await store.write { [holder] transaction in
      try transaction.run("DELETE FROM controlAnswer WHERE id = ? AND holder = ?", .text(id), .text(holder))
    }
  }
}

extension SessionStore {
  /// Writes the answer of the replica that handles the request. Returns false if another replica handles it now, or if it is already answered.
  static func finish(
    _ answer: KeptAnswer, of holder: String, in transaction: any StoreTransaction
  ) throws -> Bool {
    try transaction.row(
      "UPDATE controlAnswer SET answer = ?, endsAt = ?, holder = NULL WHERE id = ? AND holder = ? RETURNING 1",
      .blob(answer.sealed), .integer(Int(answer.end.millisecondsSinceEpoch)), .text(answer.id), .text(holder)) != nil
  }
}

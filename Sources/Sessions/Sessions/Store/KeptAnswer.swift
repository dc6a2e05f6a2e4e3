package import BridgeRuntime
import Essentials

/// The answer to a request of the control API with an `Idempotency-Key`. A repeated request gets it again.
///
/// It is stored in one transaction with the effect of the request. If the server is killed, the store has both or neither.
package struct KeptAnswer: Sendable, Hashable {
  /// The time for which an answer is kept.
  package static let lifetime = Duration.seconds(86_400)
  /// The maximum number of answers in the store. The oldest make room for new ones.
  package static let limit = 1000
  /// The maximum size of all answers in the store, in bytes.
  package static let byteLimit = 16 << 20

  /// Identifies the `Idempotency-Key` without revealing it.
  package let id: String
  /// The hash of the request.
  package let request: [UInt8]
  /// The time when the answer is deleted.
  package let end: BridgeInstant
  /// The answer, encrypted with the `Idempotency-Key`.
  package let sealed: [UInt8]
  /// The id of the replica that handles the request; nil if no other server shares the store.
  package let holder: String?

  package init(id: String, request: [UInt8], end: BridgeInstant, sealed: [UInt8], holder: String? = nil) {
    (self.id, self.request, self.end, self.sealed, self.holder) = (id, request, end, sealed, holder)
  }

  /// The decision about a request with an `Idempotency-Key`.
  package enum Verdict: Sendable, Hashable {
    /// The request is new. Handle it.
    case new
    /// The request was answered before, with these bytes.
    case repeated([UInt8])
    /// The request is being handled.
    case underWay
    /// The key was used for another request.
    case otherRequest
  }
}

extension SessionStore {
  /// Returns the stored answers, oldest first.
  func answers() async throws -> [KeptAnswer] {
    try await read { transaction in
      try transaction.rows("SELECT id, request, endsAt, answer FROM controlAnswer ORDER BY rowid").map { row in
        KeptAnswer(
          id: try row[0].text(), request: try row[1].requiredBytes(),
          end: BridgeInstant(millisecondsSinceEpoch: Double(try row[2].integer())), sealed: try row[3].requiredBytes())
      }
    }
  }

  /// Writes answers, and deletes those that are too old or too many.
  static func write(_ answers: [KeptAnswer], to transaction: any StoreTransaction) throws {
    guard let newest = answers.last else { return }
    for answer in answers {
      if let holder = answer.holder {
        guard try finish(answer, of: holder, in: transaction) else { throw StoreFailure.fenced }
        continue
      }
      // If the answer is already stored, it becomes the newest.
      try transaction.run("DELETE FROM controlAnswer WHERE id = ?", .text(answer.id))
      try transaction.run(
        "INSERT INTO controlAnswer (id, request, endsAt, answer) VALUES (?, ?, ?, ?)", .text(answer.id),
        .blob(answer.request), .integer(Int(answer.end.millisecondsSinceEpoch)), .blob(answer.sealed))
    }
    // The newest answer was made now, so its end gives the present time.
    let now = newest.end.advanced(by: .zero - KeptAnswer.lifetime)
    try transaction.run("DELETE FROM controlAnswer WHERE endsAt <= ?", .integer(Int(now.millisecondsSinceEpoch)))
    try transaction.run(
      """
      DELETE FROM controlAnswer WHERE rowid IN (
        SELECT rowid FROM (
          SELECT rowid, row_number() OVER newestFirst AS number, sum(length(answer)) OVER newestFirst AS bytes
          FROM controlAnswer WINDOW newestFirst AS (ORDER BY rowid DESC)
        ) AS answers WHERE number > 1 AND (number > ? OR bytes > ?)
      )
      """,
      .integer(KeptAnswer.limit), .integer(KeptAnswer.byteLimit))
  }
}

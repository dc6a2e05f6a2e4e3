package import BridgeRuntime
import Essentials

/// The answer to a request of the control API with an `Idempotency-Key`, for when it is sent again. It is stored together with the effect of
/// the request: after a kill, the store has both or neither.
package struct KeptAnswer: Sendable, Hashable {
  /// How long an answer is kept.
  package static let lifetime = Duration.seconds(86_400)
  /// The maximum number of answers in the store. The oldest make room for new ones.
  package static let limit = 1000
  /// The maximum size of all of them, in bytes.
  package static let byteLimit = 16 << 20

  /// Names the key without telling it.
  package let id: String
  /// The hash of the request.
  package let request: [UInt8]
  /// When the answer is forgotten.
  package let end: BridgeInstant
  /// The answer, sealed with the key.
  package let sealed: [UInt8]
  /// The id of the replica that has begun to answer; nil if no other server shares the store.
  package let holder: String?

  package init(id: String, request: [UInt8], end: BridgeInstant, sealed: [UInt8], holder: String? = nil) {
    (self.id, self.request, self.end, self.sealed, self.holder) = (id, request, end, sealed, holder)
  }

  /// What becomes of a request with a key.
  package enum Verdict: Sendable, Hashable {
    /// It is new, and to be answered.
    case new
    /// It was answered before, with this.
    case repeated([UInt8])
    /// It is being answered.
    case underWay
    /// The key belongs to another request.
    case otherRequest
  }
}

extension SessionStore {
  /// The answers, oldest first.
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
      // One that is there already becomes the newest.
      try transaction.run("DELETE FROM controlAnswer WHERE id = ?", .text(answer.id))
      try transaction.run(
        "INSERT INTO controlAnswer (id, request, endsAt, answer) VALUES (?, ?, ?, ?)", .text(answer.id),
        .blob(answer.request), .integer(Int(answer.end.millisecondsSinceEpoch)), .blob(answer.sealed))
    }
    // The newest began its life now.
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

import Essentials

/// How a server finds out whether a transaction was committed whose end it has not heard of, since the connection was lost.
///
/// The server has a row in the table `writer`. Each of its transactions first writes its number there. On a new connection the server begins
/// an epoch, which waits for a transaction that is still under way, and makes one fail that the database has received but not begun. The
/// number that the row then has says whether the last transaction was committed. Nothing else is written before that is known.
struct TransactionMark {
  private let id = UUID().uuidString
  private var epoch = 0
  private var number = 0
  /// Whether the number in the row may differ from ``number``.
  private(set) var isOpen = true

  /// The transaction whose end is to be found out.
  private var lost: Int?
  /// Whether transactions whose end was unknown were committed, by their numbers, until somebody asks. Another change may come before the
  /// one that asks, and begin the epoch.
  private var ends: [Int: Bool] = [:]

  /// The connection is new, or the last transaction has failed.
  mutating func reopen() { isOpen = true }

  /// The end of the last transaction is unknown. Returns its number, for ``takeEnd(of:)``.
  mutating func lose() -> Int {
    isOpen = true
    lost = number
    return number
  }

  /// Whether a transaction of this number was committed; nil if that is not known yet. It is forgotten then.
  mutating func takeEnd(of number: Int) -> Bool? { ends.removeValue(forKey: number) }

  /// Begins an epoch. Returns whether the last transaction was committed.
  @discardableResult
  mutating func begin(_ connection: PostgreSQLConnection) throws -> Bool {
    let row = try connection.rows(
      """
      INSERT INTO writer (id, epoch, number) VALUES (?, 1, 0)
      ON CONFLICT (id) DO UPDATE SET epoch = writer.epoch + 1, usedAt = now() RETURNING epoch, number
      """, [.text(id)]
    ).first
    guard let row else { throw PostgreSQLError(message: "The table of writers cannot be written.") }
    epoch = try row[0].integer()
    let isCommitted = try row[1].integer() == lost ?? number
    isOpen = false
    if let lost { ends[lost] = isCommitted }
    lost = nil
    return isCommitted
  }

  /// Sends the number of a new transaction, as its first statement.
  mutating func advance(_ connection: PostgreSQLConnection) throws(PostgreSQLError) {
    number += 1
    try connection.send(
      """
      WITH mark AS (UPDATE writer SET number = ?, usedAt = now() WHERE id = ? AND epoch = ? RETURNING 1)
      SELECT 1 / count(*) FROM mark
      """, [.integer(number), .text(id), .integer(epoch)])
  }

  /// Whether a transaction failed because another epoch has begun, or because the row is gone: no other statement divides.
  static func hasFailed(_ error: PostgreSQLError) -> Bool { error.code == "22012" }

  /// Deletes the row, and those of servers that ended without doing that.
  func end(_ connection: PostgreSQLConnection) throws {
    _ = try connection.rows(
      "DELETE FROM writer WHERE id = ? OR usedAt < now() - interval '30 days'", [.text(id)])
  }
}

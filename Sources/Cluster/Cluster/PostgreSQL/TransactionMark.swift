import Essentials

/// Finds out whether a transaction was committed if the connection was lost during the commit.
///
/// Each server has a row in the table `writer`. Each transaction first writes its number into this row. After a reconnection, the server
/// increases the epoch in the row. This statement waits for a transaction that still runs. A transaction that the database has received,
/// but not begun, then fails, since it has the old epoch. If the row has the number of the last transaction, that one was committed.
/// Nothing else is written before this is known.
struct TransactionMark {
  private let id = UUID().uuidString
  private var epoch = 0
  private var number = 0
  /// Whether it is unknown if the row has ``number``.
  private(set) var isOpen = true

  /// The number of the transaction of which it is unknown whether it was committed.
  private var lost: Int?
  /// Whether such transactions were committed, by their numbers, until the writer asks. Another change may come before that, and begin the
  /// next epoch.
  private var ends: [Int: Bool] = [:]

  /// The connection is new, or the last transaction has failed.
  mutating func reopen() { isOpen = true }

  /// Notes that the last transaction may have been committed. Returns its number, for ``takeEnd(of:)``.
  mutating func lose() -> Int {
    isOpen = true
    lost = number
    return number
  }

  /// Returns, once, whether the transaction with this number was committed; nil if that is not known yet.
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
    guard let row else { throw PostgreSQLError(message: "The table writer cannot be written.") }
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

  /// Whether a transaction has failed because its epoch is over, or because the row was deleted. ``advance(_:)`` then divides by zero, which
  /// no other statement does.
  static func hasFailed(_ error: PostgreSQLError) -> Bool { error.code == "22012" }

  /// Deletes this server's row, and rows that other servers have left behind and not used for 30 days.
  func end(_ connection: PostgreSQLConnection) throws {
    _ = try connection.rows(
      "DELETE FROM writer WHERE id = ? OR usedAt < now() - interval '30 days'", [.text(id)])
  }
}

import GRDB

/// A transaction that could not be synced to the disk.
///
/// All of it is in SQLite's write-ahead log by then. SQLite knows that it has failed, and the next transaction is written over it. But a server that
/// is killed before there is a next one leaves it to the next server, which would find it in the log and take it for one that was kept: what was
/// answered with an error would have its effect after all.
enum LostTransaction {
  /// Whether a transaction that has failed with this error may be found in the log.
  static func mayComeBack(after error: any Error) -> Bool {
    (error as? DatabaseError)?.extendedResultCode == .SQLITE_IOERR_FSYNC
  }

  /// Writes a transaction over the lost one that changes nothing but a number that nobody reads.
  static func cover(in database: Database) throws {
    let number = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    try database.execute(sql: "PRAGMA user_version = \((number + 1) % 1_000_000)")
  }
}

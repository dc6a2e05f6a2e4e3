import GRDB

/// A transaction that could not be synced to the disk.
///
/// It is complete in SQLite's write-ahead log. SQLite knows that it has failed and will overwrite it with the next transaction. But if the
/// server is killed before that, the next server finds it in the log and takes it as valid. A change that was answered with an error would
/// then take effect.
enum LostTransaction {
  /// Whether a transaction that failed with this error may be in the log.
  static func mayComeBack(after error: any Error) -> Bool {
    (error as? DatabaseError)?.extendedResultCode == .SQLITE_IOERR_FSYNC
  }

  /// Overwrites the lost transaction with one that changes only a number that nobody reads.
  static func cover(in database: Database) throws {
    let number = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    try database.execute(sql: "PRAGMA user_version = \((number + 1) % 1_000_000)")
  }
}

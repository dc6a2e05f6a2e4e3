import Essentials
import GRDB
import GRDBSQLite
import Logging
import Synchronization

/// A SQLite file in the state directory, with one thread for writes. Reads use other threads.
final class SQLiteEngine: StoreEngine {
  /// The file's name in the state directory.
  static let fileName = "footbridge.sqlite"

  private let path: String
  private let current: Mutex<DatabasePool>
  private let logger: Logger
  let needsCheck: Bool

  private var database: DatabasePool { current.withLock { $0 } }

  /// Opens the file. Creates it if it does not exist.
  ///
  /// If the file is not a database, it is renamed, and a warning is logged.
  ///
  /// - Throws: ``StateError`` if another version of Footbridge has written the file, or if it cannot be used at all.
  init(_ directory: StateDirectory, logger: Logger) throws {
    self.logger = logger
    // If the file exceeds a size limit of the process (`ulimit -f`), writes must fail, as on a full disk. The signal would end the process.
    signal(SIGXFSZ, SIG_IGN)
    path = directory.path + "/" + Self.fileName
    // A store that was closed properly has an empty write-ahead log.
    let log = try? FileManager.default.attributesOfItem(atPath: path + "-wal")
    needsCheck = (log?[.size] as? Int ?? 0) > 0
    do {
      current = Mutex(try Self.open(path))
    } catch let error as DatabaseError where error.isDamage {
      current = Mutex(try Self.replace(path, logger))
    } catch let error as StateError {
      throw error
    } catch {
      throw Self.unusable(path, error)
    }
  }

  func willClose() {}

  func close() {
    let database = database
    database.invalidateReadOnlyConnections()
    do {
      _ = try database.writeWithoutTransaction { try $0.checkpoint(.truncate) }
      try database.close()
    } catch {
      logger.warning("\(path) could not be closed: \(error). The next start checks it.")
    }
  }

  // MARK: Transactions

  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any StoreTransaction) throws -> Value
  ) async throws -> Value {
    try await database.read { try body(SQLiteTransaction($0)) }
  }

  func readNow<Value>(_ body: (any StoreTransaction) throws -> Value) throws -> Value {
    try database.read { try body(SQLiteTransaction($0)) }
  }

  func write(_ body: @escaping @Sendable (any StoreTransaction) throws -> Void) async throws(StoreFailure) {
    do {
      try await database.write { try body(SQLiteTransaction($0)) }
    } catch {
      if LostTransaction.mayComeBack(after: error), await !cover() { throw .undecided(Self.failure(error)) }
      throw Self.failure(error)
    }
  }

  /// Makes sure that a lost transaction does not come back. Returns false if this is not possible.
  private func cover() async -> Bool {
    do {
      try await database.write { try LostTransaction.cover(in: $0) }
      return true
    } catch {
      // If only the sync has failed again, this transaction overwrites the lost one.
      return LostTransaction.mayComeBack(after: error)
    }
  }

  /// Converts an error of SQLite.
  static func failure(_ error: any Error) -> StoreFailure {
    guard let error = error as? DatabaseError, codesOfTheDisk.contains(error.resultCode) else { return .refused(error) }
    return .disk(error, isDamage: error.isDamage)
  }

  /// The codes of SQLite for errors of the disk or the file. Other errors are caused by the change.
  private static let codesOfTheDisk: [ResultCode] = [
    .SQLITE_BUSY, .SQLITE_CANTOPEN, .SQLITE_CORRUPT, .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_LOCKED, .SQLITE_NOMEM,
    .SQLITE_NOTADB, .SQLITE_PERM, .SQLITE_READONLY,
  ]

  // MARK: Damage

  func check() async -> Bool {
    do {
      return try await database.read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") } == "ok"
    } catch {
      return !isDamage(error)
    }
  }

  /// Renames a damaged file and creates an empty one.
  func replaceDamaged() async throws {
    // This runs in a separate task, since closing blocks the thread until all readers are done.
    try await Task.detached { [self] in
      try current.withLock { database in
        try? database.close()
        database = try Self.replace(path, logger)
      }
    }.value
  }

  func isDamage(_ error: any Error) -> Bool { (error as? DatabaseError)?.isDamage ?? false }

  private static func replace(_ path: String, _ logger: Logger) throws -> DatabasePool {
    guard let aside = setAside(path) else { throw unusable(path, DatabaseError(resultCode: .SQLITE_CORRUPT)) }
    logger.warning("\(path) is damaged. It was set aside as \(aside), and a new one was created.")
    do { return try open(path) } catch { throw unusable(path, error) }
  }

  // MARK: Opening

  /// Opens a file. Creates it if it does not exist.
  static func open(_ path: String) throws -> DatabasePool {
    // The file contains cookies, so only this user may read it. SQLite gives its other files the same permissions.
    let descriptor = Essentials.open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw StateError.unusable(path, reason: String(cString: strerror(errno)) + ".")
    }
    Essentials.close(descriptor)
    var configuration = Configuration()
    configuration.label = "footbridge.store"
    configuration.busyMode = .timeout(5)
    configuration.maximumReaderCount = 3
    configuration.prepareDatabase { database in
      // On macOS, a sync reaches the disk only with this setting. It has no effect elsewhere.
      try database.execute(sql: "PRAGMA fullfsync = ON")
      // Otherwise SQLite deletes the write-ahead log when it closes the file, even if it could not read the log because the disk was full.
      // All changes in the log would be lost.
      var isPersistent: CInt = 1
      sqlite3_file_control(database.sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, &isPersistent)
    }
    let database = try DatabasePool(path: path, configuration: configuration)
    // The default of a pool is NORMAL, which does not sync each change.
    try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    try SQLiteSchema.prepare(database, path)
    return database
  }

  /// Renames a damaged file to a name that does not exist. Nil if that fails.
  private static func setAside(_ path: String) -> String? {
    let name = path + ".damaged-" + String(Int(Date().timeIntervalSince1970))
    var aside = name
    var count = 1
    while FileManager.default.fileExists(atPath: aside) {
      count += 1
      aside = "\(name)-\(count)"
    }
    guard rename(path, aside) == 0 else { return nil }
    for suffix in ["-wal", "-shm"] { _ = rename(path + suffix, aside + suffix) }
    return aside
  }

  func unusable(_ error: any Error) -> StateError { Self.unusable(path, error) }

  private static func unusable(_ path: String, _ error: any Error) -> StateError {
    StateError.unusable(path, reason: "\(error).")
  }
}

/// A transaction that could not be synced to the disk.
///
/// It is complete in SQLite's write-ahead log. SQLite knows that it has failed, and overwrites it with the next transaction. But if the
/// server is killed before, the next server finds it in the log and takes it as valid. A change whose caller got an error would then take
/// effect.
enum LostTransaction {
  /// Whether a transaction that failed with this error may be in the log.
  static func mayComeBack(after error: any Error) -> Bool {
    (error as? DatabaseError)?.extendedResultCode == .SQLITE_IOERR_FSYNC
  }

  /// Overwrites the lost transaction with another one, which changes only an unused number.
  static func cover(in database: Database) throws {
    let number = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    try database.execute(sql: "PRAGMA user_version = \((number + 1) % 1_000_000)")
  }
}

extension DatabaseError {
  /// Whether the file is damaged or is not a store.
  fileprivate var isDamage: Bool { [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(resultCode) }
}

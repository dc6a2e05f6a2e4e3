import Essentials
import GRDB
import GRDBSQLite
import Logging
import Synchronization

/// A SQLite file in the state directory, with one thread for writes. Reads use other threads.
final class SQLiteEngine: StoreEngine {
  /// The file's name in the state directory.
  static let fileName = "footbridge.sqlite"

  private enum State {
    case open(DatabasePool)
    /// A damaged file was renamed, and the disk did not allow a new one.
    case missing
    case closed
  }

  /// The database was closed, since the server stops.
  private struct Closed: Error, CustomStringConvertible {
    var description: String { "the server stops" }
  }

  private let path: String
  private let state: Mutex<State>
  /// The reads and writes that have begun. The database is closed after them: SQLite says of a closed one that it is out of memory.
  private let uses = DispatchGroup()
  /// How long closing waits for them. Each waits at most 5 seconds for another one.
  private static let closingTime = DispatchTimeInterval.seconds(10)
  private let logger: Logger
  let needsCheck: Bool

  /// Opens the file. Creates it if it does not exist.
  ///
  /// If the file is not a database, it is renamed, and a warning is logged. If the disk cannot read the file, waits for the disk for seconds.
  ///
  /// - Throws: ``StateError`` if another version of Footbridge has written the file, or if it cannot be used at all.
  init(_ directory: StateDirectory, logger: Logger) throws {
    self.logger = logger
    // If the file exceeds a size limit of the process (`ulimit -f`), writes must fail, as on a full disk. The signal would end the process.
    signal(SIGXFSZ, SIG_IGN)
    path = directory.path + "/" + Self.fileName
    // A store that was closed properly has an empty write-ahead log.
    var log = stat()
    needsCheck = stat(path + "-wal", &log) == 0 && log.st_size > 0
    state = Mutex(.open(try Self.openOrReplace(path, logger)))
  }

  func willClose() {}

  func close() {
    let former = state.withLock { state in
      defer { state = .closed }
      return state
    }
    guard case .open(let database) = former else { return }
    if uses.wait(timeout: .now() + Self.closingTime) == .timedOut {
      logger.warning("\(path) is still read or written. It is not closed, and the next start checks it.")
      return
    }
    database.invalidateReadOnlyConnections()
    do {
      _ = try database.writeWithoutTransaction { try $0.checkpoint(.truncate) }
      try database.close()
    } catch {
      logger.warning("\(path) could not be closed: \(error). The next start checks it.")
    }
  }

  /// Returns the database for a read or a write. Leave ``uses`` after it.
  private func begin() throws -> DatabasePool {
    try state.withLock { state in
      let database: DatabasePool
      switch state {
      case .open(let present): database = present
      case .closed: throw Closed()
      case .missing:
        database = try Self.open(path)
        state = .open(database)
      }
      uses.enter()
      return database
    }
  }

  // MARK: Transactions

  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any StoreTransaction) throws -> Value
  ) async throws -> Value {
    let database = try begin()
    defer { uses.leave() }
    return try await database.read { try body(SQLiteTransaction($0)) }
  }

  func readNow<Value>(_ body: (any StoreTransaction) throws -> Value) throws -> Value {
    let database = try begin()
    defer { uses.leave() }
    return try database.read { try body(SQLiteTransaction($0)) }
  }

  func write(_ body: @escaping @Sendable (any StoreTransaction) throws -> Void) async throws(StoreFailure) {
    do {
      let database = try begin()
      defer { uses.leave() }
      try await database.writeWithoutTransaction { try SQLiteTransaction.commit(in: $0) { try body($0) } }
    } catch {
      if LostTransaction.mayComeBack(after: error), await !cover() { throw .undecided(Self.failure(error)) }
      throw Self.failure(error)
    }
  }

  /// Makes sure that a lost transaction does not come back. Returns false if this is not possible.
  private func cover() async -> Bool {
    do {
      let database = try begin()
      defer { uses.leave() }
      try await database.write { try LostTransaction.cover(in: $0) }
      return true
    } catch {
      // If only the sync has failed again, this transaction overwrites the lost one.
      return LostTransaction.mayComeBack(after: error)
    }
  }

  /// Converts an error of SQLite.
  static func failure(_ error: any Error) -> StoreFailure {
    if error is Closed { return .closed }
    if error is StateError { return .disk(error) }
    guard let error = error as? DatabaseError, codesOfTheDisk.contains(error.resultCode) else { return .refused(error) }
    return .disk(error, mayBeDamage: error.mayBeDamage)
  }

  /// The codes of SQLite for errors of the disk or the file. Other errors are caused by the change.
  private static let codesOfTheDisk: [ResultCode] = [
    .SQLITE_BUSY, .SQLITE_CANTOPEN, .SQLITE_CORRUPT, .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_LOCKED, .SQLITE_NOMEM,
    .SQLITE_NOTADB, .SQLITE_PERM, .SQLITE_READONLY,
  ]

  // MARK: Damage

  func check() async -> StoreCondition {
    // This runs in a separate task, since reading the whole file blocks the thread.
    await Task.detached { [path] in SQLiteFile(path: path).condition() }.value
  }

  /// Renames a damaged file and creates an empty one.
  func replaceDamaged() async throws {
    // This runs in a separate task, since closing blocks the thread until all readers are done.
    try await Task.detached { [self] in
      try state.withLock { state in
        guard case .open(let database) = state else { return }
        _ = uses.wait(timeout: .now() + Self.closingTime)
        try? database.close()
        state = .missing
        state = .open(try Self.replace(path, logger))
      }
    }.value
  }

  func mayBeDamage(_ error: any Error) -> Bool { (error as? DatabaseError)?.mayBeDamage ?? false }

  func isUnavailable(_ error: any Error) -> Bool { !Self.failure(error).isOfOneChange }

  private static func replace(_ path: String, _ logger: Logger) throws -> DatabasePool {
    guard let aside = setAside(path) else { throw unusable(path, DatabaseError(resultCode: .SQLITE_CORRUPT)) }
    logger.warning("\(path) is damaged. It was set aside as \(aside), and a new one is created.")
    do { return try open(path) } catch { throw unusable(path, error) }
  }

  // MARK: Opening

  /// How often a file is opened that the disk cannot read, a second apart.
  private static let tryLimit = 3

  private static func openOrReplace(_ path: String, _ logger: Logger) throws -> DatabasePool {
    for count in 1... {
      do {
        return try open(path)
      } catch let error as StateError {
        throw error
      } catch let error as DatabaseError where error.mayBeDamage {
        switch SQLiteFile(path: path).condition() {
        case .damaged: return try replace(path, logger)
        case .unreadable(let reason) where count == tryLimit:
          throw StateError.unusable(path, reason: "The disk cannot read it: \(reason).")
        case .unreadable(let reason):
          logger.warning("The disk cannot read \(path): \(reason). The server tries again in a second.")
          sleep(1)
        // The disk has failed for a moment.
        case .whole: guard count < tryLimit else { throw unusable(path, error) }
        }
      } catch {
        throw unusable(path, error)
      }
    }
    throw StateError.unusable(path, reason: "It cannot be opened.")
  }

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
      retainLog(database.sqliteConnection)
    }
    let database = try DatabasePool(path: path, configuration: configuration)
    // The default of a pool is NORMAL, which does not sync each change.
    try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    try SQLiteSchema.prepare(database, path)
    return database
  }

  /// Otherwise SQLite deletes the write-ahead log when it closes the file, even if it could not read the log because the disk was full. All
  /// changes in the log would be lost.
  static func retainLog(_ database: OpaquePointer?) {
    var isPersistent: CInt = 1
    sqlite3_file_control(database, nil, SQLITE_FCNTL_PERSIST_WAL, &isPersistent)
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
  /// Whether the file may be damaged, or no store. SQLite says the same of a disk that cannot read it.
  fileprivate var mayBeDamage: Bool { [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(resultCode) }
}

import Essentials
import GRDB
import GRDBSQLite
package import Logging
import Synchronization

/// What sessions own that outlives the server, in one SQLite file of the state directory.
///
/// Changes are written on a thread of the store's own. Reads have others: they do not wait while the disk syncs a change.
package final class SessionStore: Sendable {
  /// The file's name in the state directory.
  static let fileName = "footbridge.sqlite"

  private let path: String
  private let stateTypes: [any BridgeState.Type]
  private let current: Mutex<DatabasePool>
  private let logger: Logger
  /// Whether the store was not closed when it was used last, so that its file is worth a ``check()``.
  let needsCheck: Bool

  private var database: DatabasePool { current.withLock { $0 } }

  /// Opens the store, and makes it if it is not there. Sessions have states of these types.
  ///
  /// A file that is no database is set aside under another name, which is logged.
  ///
  /// - Throws: ``StateError/unusable(_:reason:)`` when a newer version of Footbridge has written the file, or it cannot be used
  ///   at all.
  package init(_ directory: StateDirectory, states stateTypes: [any BridgeState.Type], logger: Logger) throws {
    self.stateTypes = stateTypes
    self.logger = logger
    // A file that may not grow is an error to be told, as a full disk is, and no reason to end.
    signal(SIGXFSZ, SIG_IGN)
    path = directory.path + "/" + Self.fileName
    // A store that is closed leaves an empty write-ahead log behind.
    let log = try? FileManager.default.attributesOfItem(atPath: path + "-wal")
    needsCheck = (log?[.size] as? Int ?? 0) > 0
    do {
      current = Mutex(try Self.open(path))
    } catch let error as DatabaseError where StoreFailure(error).isDamage {
      current = Mutex(try Self.replace(path, logger))
    } catch let error as StateError {
      throw error
    } catch {
      throw Self.unusable(path, error)
    }
  }

  /// Closes the store. Nothing is kept any more.
  func close() {
    let database = database
    database.invalidateReadOnlyConnections()
    do {
      _ = try database.writeWithoutTransaction { try $0.checkpoint(.truncate) }
      try database.close()
    } catch {
      logger.warning("\(path) could not be closed: \(error). It is checked when it is opened again.")
    }
  }

  // MARK: Damage

  /// Looks whether the file is damaged. Takes seconds for a store of many sessions; nothing waits for it.
  func check() async -> Bool {
    do {
      return try await database.read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") } == "ok"
    } catch {
      return !StoreFailure(error).isDamage
    }
  }

  /// Sets a file that was found damaged aside, and begins a new one. Nothing of what was kept is in it.
  ///
  /// - Throws: ``StateError/unusable(_:reason:)`` when there can be no new one.
  func replaceDamaged() async throws {
    // In a task of its own: closing waits for those who read.
    try await Task.detached { [self] in
      try current.withLock { database in
        try? database.close()
        database = try Self.replace(path, logger)
      }
    }.value
  }

  private static func replace(_ path: String, _ logger: Logger) throws -> DatabasePool {
    guard let aside = setAside(path) else { throw unusable(path, DatabaseError(resultCode: .SQLITE_CORRUPT)) }
    logger.warning("\(path) is damaged. It was set aside as \(aside), and a new one was begun.")
    do { return try open(path) } catch { throw unusable(path, error) }
  }

  // MARK: Reading

  /// What there is of a session; nil for one that is not known. One that is damaged is set aside, logged, and not known any more.
  func session(_ key: String) async throws -> StoredSession? {
    do {
      return try await database.read { [stateTypes] in try Self.read(key, stateTypes, from: $0) }
    } catch let error as DecodingError {
      try await database.write { try Self.setAside(key, in: $0) }
      logger.warning("A session is damaged: \(error). It was set aside in the store, and begins anew.")
      return nil
    }
  }

  /// Reads something of a bridge's own rows.
  func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    try await database.read(body)
  }

  /// The key that begins with `id`; nil for a session that is not known.
  func key(ofID id: String) async throws -> String? {
    try await database.read {
      try String.fetchOne($0, sql: "SELECT key FROM session WHERE key >= ? AND key < ?", arguments: [id, id + "g"])
    }
  }

  // MARK: Writing

  /// Keeps changes, each of them whole or not at all. Returns when those that are kept have been synced to the disk.
  ///
  /// All are written and synced together. Only when the store refuses one of them, each is tried by itself: no session's change takes
  /// another's along.
  ///
  /// - Returns: why changes are not kept, by their places among `changes`.
  func keep(_ changes: [SessionChange]) async -> [Int: StoreFailure] {
    guard let failure = await write(changes[...]) else { return [:] }
    if case .refused = failure, changes.count > 1 {
      var failures: [Int: StoreFailure] = [:]
      for index in changes.indices { failures[index] = await write(changes[index...index]) }
      return failures
    }
    return Dictionary(uniqueKeysWithValues: changes.indices.map { ($0, failure) })
  }

  /// Sees to it that a transaction that was lost does not come back. False when that cannot be.
  private func cover() async -> Bool {
    do {
      try await database.write { try LostTransaction.cover(in: $0) }
      return true
    } catch {
      // When it is only the sync that has failed again, this transaction lies over the lost one.
      return LostTransaction.mayComeBack(after: error)
    }
  }

  private func write(_ changes: ArraySlice<SessionChange>) async -> StoreFailure? {
    do {
      try await database.write { database in
        for change in changes { try Self.write(change, to: database) }
      }
      return nil
    } catch {
      if LostTransaction.mayComeBack(after: error), await !cover() { return .undecided(error) }
      return StoreFailure(error)
    }
  }

  /// Notes that a session is used.
  func use(_ key: String) async {
    _ = try? await database.write { database in
      try database.run("UPDATE session SET usedAt = ? WHERE key = ?", .text(Self.time(Date())), .text(key))
    }
  }

  /// Forgets sessions: those that do not outlast their pages and were used last before `ended`, and others that were used last before
  /// `overdue`. A few at a time, so that nobody's change waits for long.
  ///
  /// - Parameter running: The keys of sessions that are running. They stay.
  func forget(endedBefore ended: Date, unusedSince overdue: Date, except running: Set<String>) async throws {
    var last = ""
    while true {
      let sql = """
        SELECT key FROM session WHERE key > ? AND (isLasting = 0 AND usedAt < ? OR usedAt < ?)
        ORDER BY key LIMIT 200
        """
      let keys = try await database.read { [last] in
        try String.fetchAll($0, sql: sql, arguments: [last, Self.time(ended), Self.time(overdue)])
      }
      guard let end = keys.last else { return }
      last = end
      try await database.write { database in
        for key in keys where !running.contains(key) {
          try database.run(
            "DELETE FROM session WHERE key = ? AND (isLasting = 0 AND usedAt < ? OR usedAt < ?)", .text(key),
            .text(Self.time(ended)), .text(Self.time(overdue)))
        }
      }
    }
  }

  // MARK: Opening

  /// Opens a file, and makes it if it is not there.
  static func open(_ path: String) throws -> DatabasePool {
    // Cookies are kept in it: SQLite gives its other files the permissions of this one.
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
      // On macOS a sync reaches the disk only so; elsewhere this changes nothing.
      try database.execute(sql: "PRAGMA fullfsync = ON")
      // Otherwise SQLite deletes the write-ahead log when it closes the file, even if a full disk has kept it from reading the log: all
      // that the log holds would be lost.
      var isPersistent: CInt = 1
      sqlite3_file_control(database.sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, &isPersistent)
    }
    let database = try DatabasePool(path: path, configuration: configuration)
    // A pool begins with NORMAL, which does not sync each change.
    try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    let migrator = migrator
    if try database.read({ try migrator.hasBeenSuperseded($0) }) {
      throw StateError.unusable(path, reason: "A newer version of Footbridge has written it.")
    }
    try migrator.migrate(database)
    return database
  }

  /// Gives a damaged file a name that no other has; nil when that cannot be.
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

  private static func unusable(_ path: String, _ error: any Error) -> StateError {
    StateError.unusable(path, reason: "\(error).")
  }
}

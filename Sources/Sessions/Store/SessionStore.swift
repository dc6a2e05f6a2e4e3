import Essentials
import GRDB
import GRDBSQLite
package import Logging
import Synchronization

/// The part of sessions that outlives the server, in one SQLite file in the state directory.
///
/// The store has its own thread for writing. Reads use other threads and do not wait while the disk syncs a change.
package final class SessionStore: Sendable {
  /// The file's name in the state directory.
  static let fileName = "footbridge.sqlite"

  private let path: String
  private let stateTypes: [any BridgeState.Type]
  private let current: Mutex<DatabasePool>
  private let logger: Logger
  /// Whether the store was not closed properly, so that its file needs a ``check()``.
  let needsCheck: Bool

  private var database: DatabasePool { current.withLock { $0 } }

  /// Opens the store. Creates it if it does not exist.
  ///
  /// A file that is not a database is renamed, which is logged.
  ///
  /// - Throws: ``StateError/unusable(_:reason:)`` if a newer version of Footbridge has written the file, or if it cannot be used at all.
  package init(_ directory: StateDirectory, states stateTypes: [any BridgeState.Type], logger: Logger) throws {
    self.stateTypes = stateTypes
    self.logger = logger
    // If a file may not grow, report an error, as for a full disk, and do not end the process.
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

  /// Closes the store. Nothing more is stored.
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

  // MARK: Damage

  /// Checks the file for damage. Takes seconds for a store with many sessions. Nothing waits for it.
  func check() async -> Bool {
    do {
      return try await database.read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") } == "ok"
    } catch {
      return !StoreFailure(error).isDamage
    }
  }

  /// Renames a damaged file and creates a new one, which is empty.
  ///
  /// - Throws: ``StateError/unusable(_:reason:)`` if a new one cannot be created.
  func replaceDamaged() async throws {
    // In a separate task, since closing waits for readers.
    try await Task.detached { [self] in
      try current.withLock { database in
        try? database.close()
        database = try Self.replace(path, logger)
      }
    }.value
  }

  private static func replace(_ path: String, _ logger: Logger) throws -> DatabasePool {
    guard let aside = setAside(path) else { throw unusable(path, DatabaseError(resultCode: .SQLITE_CORRUPT)) }
    logger.warning("\(path) is damaged. It was set aside as \(aside), and a new one was created.")
    do { return try open(path) } catch { throw unusable(path, error) }
  }

  // MARK: Reading

  /// The stored part of a session; nil for an unknown session. A damaged session is set aside and logged, and becomes unknown.
  func session(_ key: String) async throws -> StoredSession? {
    do {
      return try await database.read { [stateTypes] in try Self.read(key, stateTypes, from: $0) }
    } catch let error as DecodingError {
      try await database.write { try Self.setAside(key, in: $0) }
      logger.warning("A session is damaged: \(error). It was set aside in the store and starts again from nothing.")
      return nil
    }
  }

  /// The record of new sessions with what their world has.
  ///
  /// - Throws: ``StateError/unusable(_:reason:)`` if it cannot be read.
  package func withWorld(_ record: SessionRecord) throws -> SessionRecord {
    do { return try database.read { try record.withWorld(from: $0) } } catch { throw Self.unusable(path, error) }
  }

  /// Reads something of a bridge's own rows.
  func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    try await database.read(body)
  }

  /// The key that begins with `id`; nil if the session is unknown.
  func key(ofID id: String) async throws -> String? {
    try await database.read {
      try String.fetchOne($0, sql: "SELECT key FROM session WHERE key >= ? AND key < ?", arguments: [id, id + "g"])
    }
  }

  /// The keys of sessions in whose profile a bridge has this member, those that were used last first.
  func keys(withMember member: String, of bridge: String, limit: Int) async throws -> [String] {
    let sql = """
      SELECT key FROM session
      WHERE key NOT LIKE 'damaged %' AND json_valid(CAST(profile AS TEXT))
      AND json_type(CAST(profile AS TEXT), ?) IS NOT NULL
      ORDER BY usedAt DESC LIMIT ?
      """
    return try await database.read {
      try String.fetchAll($0, sql: sql, arguments: ["$.bridges.\(bridge).\(member)", limit])
    }
  }

  // MARK: Writing

  /// Stores changes, each of them completely or not at all. Returns when the stored ones are synced to the disk.
  ///
  /// All are written and synced together. If the store refuses one of them, each is tried separately, so that one session's change does not
  /// affect others. Only sessions that share a world stay together.
  ///
  /// - Returns: Why changes are not stored, by their indexes in `changes`.
  func keep(_ changes: [SessionChange]) async -> [Int: StoreFailure] {
    guard let failure = await write(changes) else { return [:] }
    let groups = Self.groups(of: changes)
    if case .refused = failure, groups.count > 1 {
      var failures: [Int: StoreFailure] = [:]
      for group in groups {
        guard let failure = await write(group.map { changes[$0] }) else { continue }
        for index in group { failures[index] = failure }
      }
      return failures
    }
    return Dictionary(uniqueKeysWithValues: changes.indices.map { ($0, failure) })
  }

  /// The indices of changes that are stored together or not at all: those of the sessions of one world, and each other one alone.
  private static func groups(of changes: [SessionChange]) -> [[Int]] {
    var groups: [[Int]] = []
    var groupOfWorld: [String: Int] = [:]
    for (index, change) in changes.enumerated() {
      if let world = change.worldName, let group = groupOfWorld[world] {
        groups[group].append(index)
        continue
      }
      if let world = change.worldName { groupOfWorld[world] = groups.count }
      groups.append([index])
    }
    return groups
  }

  /// Makes sure that a lost transaction does not come back. Returns false if that is not possible.
  private func cover() async -> Bool {
    do {
      try await database.write { try LostTransaction.cover(in: $0) }
      return true
    } catch {
      // If only the sync has failed again, this transaction overwrites the lost one.
      return LostTransaction.mayComeBack(after: error)
    }
  }

  private func write(_ changes: [SessionChange]) async -> StoreFailure? {
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

  /// Records that a session is used.
  func use(_ key: String) async {
    _ = try? await database.write { database in
      try database.run("UPDATE session SET usedAt = ? WHERE key = ?", .text(Self.time(Date())), .text(key))
    }
  }

  /// How many sessions are deleted together.
  private static let deletionCount = 200

  /// Deletes sessions: those that need not outlast their pages and were last used before `ended`, and others that were last used before
  /// `overdue`. Deletes a few at a time, so that no change waits for long.
  ///
  /// - Parameter running: The keys of running sessions. They stay.
  func forget(endedBefore ended: Date, unusedSince overdue: Date, except running: Set<String>) async throws {
    // In this form SQLite finds the rows by their index, and does not read the whole table at each start.
    let isOver = "(isLasting = 0 AND usedAt < ? OR isLasting = 1 AND usedAt < ?)"
    let times = [Self.time(max(ended, overdue)), Self.time(overdue)]
    let keys = try await database.read {
      try String.fetchAll($0, sql: "SELECT key FROM session WHERE \(isOver)", arguments: StatementArguments(times))
    }
    for start in stride(from: 0, to: keys.count, by: Self.deletionCount) {
      let some = keys[start..<min(start + Self.deletionCount, keys.count)]
      try await database.write { database in
        for key in some where !running.contains(key) {
          // It may have been used since.
          try database.run(
            "DELETE FROM session WHERE key = ? AND \(isOver)", .text(key), .text(times[0]), .text(times[1]))
        }
      }
    }
  }

  // MARK: Opening

  /// Opens a file. Creates it if it does not exist.
  static func open(_ path: String) throws -> DatabasePool {
    // It contains cookies. SQLite gives its other files the permissions of this one.
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
      // On macOS, only this makes a sync reach the disk. Elsewhere it changes nothing.
      try database.execute(sql: "PRAGMA fullfsync = ON")
      // Otherwise SQLite deletes the write-ahead log when it closes the file, even if a full disk prevented it from reading the log.
      // Everything in the log would be lost.
      var isPersistent: CInt = 1
      sqlite3_file_control(database.sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, &isPersistent)
    }
    let database = try DatabasePool(path: path, configuration: configuration)
    // A pool starts with NORMAL, which does not sync each change.
    try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    let migrator = migrator
    if try database.read({ try migrator.hasBeenSuperseded($0) }) {
      throw StateError.unusable(path, reason: "A newer version of Footbridge has written it.")
    }
    try migrator.migrate(database)
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

  private static func unusable(_ path: String, _ error: any Error) -> StateError {
    StateError.unusable(path, reason: "\(error).")
  }
}

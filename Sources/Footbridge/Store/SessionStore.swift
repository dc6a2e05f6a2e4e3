import Foundation
import GRDB
import Logging
import Onside
import Synchronization

/// What sessions own that outlives the server, in one SQLite file of the state directory.
///
/// Everything is read and written on a thread of its own. States that several sessions hand in while one transaction is being synced go
/// into the next one together: they share its sync.
final class SessionStore: Sendable {
  /// The file's name in the state directory.
  static let fileName = "footbridge.sqlite"

  private struct Pending {
    var states: [String: OnsideState] = [:]
    var waiters: [CheckedContinuation<Void, any Error>] = []
    var isWriting = false
  }

  private let database: DatabaseQueue
  private let queue = DispatchQueue(label: "footbridge.store")
  private let pending = Mutex(Pending())

  /// Opens the store, and makes it if it is not there.
  ///
  /// A file that is no database or damaged is set aside under another name, which is logged. Throws
  /// ``FootbridgeError/stateUnusable(_:reason:)`` when a newer version of Footbridge has written the file, or it cannot be used at all.
  init(_ directory: StateDirectory, logger: Logger) throws {
    let path = directory.path + "/" + Self.fileName
    do {
      database = try Self.open(path)
    } catch let error as DatabaseError where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode) {
      let aside = path + ".damaged-" + String(Int(Date().timeIntervalSince1970))
      guard rename(path, aside) == 0 else { throw Self.unusable(path, error) }
      for suffix in ["-wal", "-shm"] { _ = rename(path + suffix, aside + suffix) }
      logger.warning("\(path) is damaged. It was set aside as \(aside), and a new one was begun.")
      do { database = try Self.open(path) } catch { throw Self.unusable(path, error) }
    } catch let error as FootbridgeError {
      throw error
    } catch {
      throw Self.unusable(path, error)
    }
  }

  /// The state that a session's last launch left; nil for a session that is not known.
  func state(of sessionID: String) async throws -> OnsideState? {
    let data = try await database.read { database in
      try Data.fetchOne(database, sql: "SELECT onside FROM session WHERE id = ?", arguments: [sessionID])
    }
    return try data.map { try JSONDecoder().decode(OnsideState.self, from: $0) }
  }

  /// Keeps a session's state. Returns when it has been synced to the disk.
  func keep(_ state: OnsideState, of sessionID: String) async throws {
    try await withCheckedThrowingContinuation { continuation in
      let mustStart = pending.withLock { pending in
        pending.states[sessionID] = state
        pending.waiters.append(continuation)
        defer { pending.isWriting = true }
        return !pending.isWriting
      }
      if mustStart { queue.async { [self] in writeAll() } }
    }
  }

  /// Writes what was handed in, until nothing is left.
  private func writeAll() {
    while true {
      let batch = pending.withLock { pending in
        let batch = (pending.states, pending.waiters)
        pending.states = [:]
        pending.waiters = []
        pending.isWriting = !batch.1.isEmpty
        return batch
      }
      if batch.1.isEmpty { return }
      let result = Result { try write(batch.0) }
      for waiter in batch.1 { waiter.resume(with: result) }
    }
  }

  private func write(_ states: [String: OnsideState]) throws {
    let rows = try states.map { (id: $0.key, data: try JSONEncoder().encode($0.value)) }
    try database.write { database in
      for row in rows {
        try database.execute(
          sql: """
            INSERT INTO session (id, onside, changedAt) VALUES (?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET onside = excluded.onside, changedAt = excluded.changedAt
            """,
          arguments: [row.id, row.data, Date()]
        )
      }
    }
  }

  private static func open(_ path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.label = "footbridge.store"
    configuration.busyMode = .timeout(5)
    configuration.prepareDatabase { database in
      try database.execute(sql: "PRAGMA journal_mode = WAL")
      try database.execute(sql: "PRAGMA synchronous = FULL")
    }
    let database = try DatabaseQueue(path: path, configuration: configuration)
    let migrator = migrator
    if try database.read({ try migrator.hasBeenSuperseded($0) }) {
      throw FootbridgeError.stateUnusable(path, reason: "A newer version of Footbridge has written it.")
    }
    try migrator.migrate(database)
    return database
  }

  private static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("sessions") { database in
      try database.create(table: "session") { table in
        table.primaryKey("id", .text)
        table.column("onside", .blob).notNull()
        table.column("changedAt", .datetime).notNull()
      }
    }
    return migrator
  }

  private static func unusable(_ path: String, _ error: any Error) -> FootbridgeError {
    FootbridgeError.stateUnusable(path, reason: "\(error)")
  }
}

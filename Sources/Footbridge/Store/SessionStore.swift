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
    /// By session; nil for one that is to be forgotten.
    var records: [String: SessionRecord?] = [:]
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

  /// What a session's last launch left; nil for a session that is not known.
  func record(of key: String) async throws -> SessionRecord? {
    let found = try await database.read { database -> (onside: Data, profile: Data?)? in
      try Row.fetchOne(database, sql: "SELECT onside, profile FROM session WHERE key = ?", arguments: [key])
        .map { ($0["onside"], $0["profile"]) }
    }
    guard let found else { return nil }
    let decoder = JSONDecoder()
    return SessionRecord(
      onside: try decoder.decode(OnsideState.self, from: found.onside),
      profile: try found.profile.map { try decoder.decode(SessionProfile.self, from: $0) } ?? SessionProfile()
    )
  }

  /// The key that begins with `id`; nil for a session that is not known.
  func key(ofID id: String) async throws -> String? {
    let key = try await database.read { database in
      try String.fetchOne(
        database, sql: "SELECT key FROM session WHERE key >= ? AND key < ?", arguments: [id, id + "g"])
    }
    return key
  }

  /// Keeps what there is of a session, or with nil forgets it. Returns when that has been synced to the disk.
  func keep(_ record: SessionRecord?, of key: String) async throws {
    try await withCheckedThrowingContinuation { continuation in
      let mustStart = pending.withLock { pending in
        pending.records[key] = .some(record)
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
        let batch = (pending.records, pending.waiters)
        pending.records = [:]
        pending.waiters = []
        pending.isWriting = !batch.1.isEmpty
        return batch
      }
      if batch.1.isEmpty { return }
      let result = Result { try write(batch.0) }
      for waiter in batch.1 { waiter.resume(with: result) }
    }
  }

  private func write(_ records: [String: SessionRecord?]) throws {
    let encoder = JSONEncoder()
    let rows = try records.map { key, record in
      (
        key: key, onside: try record.map { try encoder.encode($0.onside) },
        profile: try record.map { try encoder.encode($0.profile) }
      )
    }
    try database.write { database in
      for row in rows {
        guard let onside = row.onside else {
          try database.execute(sql: "DELETE FROM session WHERE key = ?", arguments: [row.key])
          continue
        }
        try database.execute(
          sql: """
            INSERT INTO session (key, onside, profile, changedAt) VALUES (?, ?, ?, ?)
            ON CONFLICT (key) DO UPDATE
            SET onside = excluded.onside, profile = excluded.profile, changedAt = excluded.changedAt
            """,
          arguments: [row.key, onside, row.profile, Date()]
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
    migrator.registerMigration("profiles and keys") { database in
      try database.alter(table: "session") { table in
        table.rename(column: "id", to: "key")
        table.add(column: "profile", .blob)
      }
      // Rows were known by their cookies' values.
      for value in try String.fetchAll(database, sql: "SELECT key FROM session") {
        try database.execute(
          sql: "UPDATE session SET key = ? WHERE key = ?",
          arguments: [SessionKey(cookieValue: value).rawValue, value]
        )
      }
    }
    return migrator
  }

  private static func unusable(_ path: String, _ error: any Error) -> FootbridgeError {
    FootbridgeError.stateUnusable(path, reason: "\(error)")
  }
}

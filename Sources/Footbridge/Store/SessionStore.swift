import Foundation
import GRDB
import Logging

/// What sessions own that outlives the server, in one SQLite file of the state directory.
///
/// Everything is read and written on a thread of its own.
final class SessionStore: Sendable {
  /// The file's name in the state directory.
  static let fileName = "footbridge.sqlite"

  private let database: DatabaseQueue
  private let logger: Logger

  /// Opens the store, and makes it if it is not there.
  ///
  /// A file that is no database or damaged is set aside under another name, which is logged. Throws
  /// ``FootbridgeError/stateUnusable(_:reason:)`` when a newer version of Footbridge has written the file, or it cannot be used at all.
  init(_ directory: StateDirectory, logger: Logger) throws {
    self.logger = logger
    // A file that may not grow is an error to be told, as a full disk is, and no reason to end.
    signal(SIGXFSZ, SIG_IGN)
    let path = directory.path + "/" + Self.fileName
    do {
      database = try Self.open(path)
    } catch let error as DatabaseError where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode) {
      guard let aside = Self.setAside(path) else { throw Self.unusable(path, error) }
      logger.warning("\(path) is damaged. It was set aside as \(aside), and a new one was begun.")
      do { database = try Self.open(path) } catch { throw Self.unusable(path, error) }
    } catch let error as FootbridgeError {
      throw error
    } catch {
      throw Self.unusable(path, error)
    }
  }

  /// What there is of a session; nil for one that is not known. One that is damaged is set aside, logged, and not known any more.
  func session(_ key: String) async throws -> StoredSession? {
    do {
      return try await database.read { try Self.read(key, from: $0) }
    } catch let error as DecodingError {
      try await database.write { try Self.setAside(key, in: $0) }
      logger.warning("A session is damaged: \(error). It was set aside in the store, and begins anew.")
      return nil
    }
  }

  /// The key that begins with `id`; nil for a session that is not known.
  func key(ofID id: String) async throws -> String? {
    try await database.read {
      try String.fetchOne($0, sql: "SELECT key FROM session WHERE key >= ? AND key < ?", arguments: [id, id + "g"])
    }
  }

  /// The key of the session in which an order was made.
  func key(ofOrder orderID: String) async throws -> String? {
    try await database.read {
      try String.fetchOne($0, sql: "SELECT sessionKey FROM purchase WHERE id = ?", arguments: [orderID])
    }
  }

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

  // MARK: Opening

  private static func open(_ path: String) throws -> DatabaseQueue {
    // Cookies are kept in it: SQLite gives its other files the permissions of this one.
    let descriptor = Foundation.open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw FootbridgeError.stateUnusable(path, reason: String(cString: strerror(errno)) + ".")
    }
    close(descriptor)
    var configuration = Configuration()
    configuration.label = "footbridge.store"
    configuration.busyMode = .timeout(5)
    configuration.prepareDatabase { database in
      try database.execute(sql: "PRAGMA journal_mode = WAL")
      try database.execute(sql: "PRAGMA synchronous = FULL")
      // On macOS a sync reaches the disk only so; elsewhere this changes nothing.
      try database.execute(sql: "PRAGMA fullfsync = ON")
    }
    let database = try DatabaseQueue(path: path, configuration: configuration)
    let findings = try database.read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") }
    guard findings == "ok" else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: findings) }
    let migrator = migrator
    if try database.read({ try migrator.hasBeenSuperseded($0) }) {
      throw FootbridgeError.stateUnusable(path, reason: "A newer version of Footbridge has written it.")
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

  private static func unusable(_ path: String, _ error: any Error) -> FootbridgeError {
    FootbridgeError.stateUnusable(path, reason: "\(error).")
  }
}

import BridgeCore
import Essentials
package import Logging

/// The part of sessions that outlives the server, in a database.
///
/// The database has its own thread for writing. Reads do not wait while a change is made durable.
package final class SessionStore: Sendable {
  private let engine: any StoreEngine
  private let stateTypes: [any BridgeState.Type]
  private let logger: Logger

  /// A store in a database that is open.
  package init(_ engine: any StoreEngine, states stateTypes: [any BridgeState.Type], logger: Logger) {
    self.engine = engine
    self.stateTypes = stateTypes
    self.logger = logger
  }

  /// Opens the store of a state directory: one SQLite file. Creates it if it does not exist.
  ///
  /// A file that is not a database is renamed, which is logged.
  ///
  /// - Throws: ``StateError/unusable(_:reason:)`` if a newer version of Footbridge has written the file, or if it cannot be used at all.
  package convenience init(
    _ directory: StateDirectory, states stateTypes: [any BridgeState.Type], logger: Logger
  ) throws {
    self.init(try SQLiteEngine(directory, logger: logger), states: stateTypes, logger: logger)
  }

  /// The server stops. What is under way does not wait long for the database any more.
  func willClose() { engine.willClose() }

  /// Closes the store. Nothing more is stored.
  func close() { engine.close() }

  // MARK: Damage

  /// Whether the store was not closed properly, so that it needs a ``check()``.
  var needsCheck: Bool { engine.needsCheck }

  /// Checks the store for damage. Takes seconds for a store with many sessions. Nothing waits for it.
  func check() async -> Bool { await engine.check() }

  /// Sets a damaged store aside and creates a new one, which is empty.
  ///
  /// - Throws: ``StateError/unusable(_:reason:)`` if a new one cannot be created.
  func replaceDamaged() async throws { try await engine.replaceDamaged() }

  /// Whether an error of reading says that the store is damaged.
  func isDamage(_ error: any Error) -> Bool { engine.isDamage(error) }

  // MARK: Reading

  /// The stored part of a session; nil for an unknown session. A damaged session is set aside and logged, and becomes unknown.
  ///
  /// - Parameter fence: What proves that the session is this server's; nil if no other one shares the store. Servers that share it may be of
  ///   different versions: what this one cannot read stays for the others.
  /// - Throws: ``UnreadableSession`` for a session of a shared store.
  func session(_ key: String, fence: SessionFence? = nil) async throws -> StoredSession? {
    do {
      return try await engine.read { [stateTypes] in try Self.read(key, stateTypes, from: $0) }
    } catch let error as DecodingError {
      guard fence == nil else { throw UnreadableSession(reason: error) }
      try await engine.write { try Self.setAside(key, in: $0) }
      logger.warning("A session is damaged: \(error). It was set aside in the store and starts again from nothing.")
      return nil
    }
  }

  /// The record of new sessions with what their world has.
  ///
  /// - Throws: ``StateError/unusable(_:reason:)`` if it cannot be read.
  package func withWorld(_ record: SessionRecord) throws -> SessionRecord {
    do { return try engine.readNow { try record.withWorld(from: $0) } } catch { throw engine.unusable(error) }
  }

  /// Reads something of a bridge's own rows.
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any StoreTransaction) throws -> Value
  ) async throws -> Value {
    try await engine.read(body)
  }

  /// The key that begins with `id`; nil if the session is unknown.
  func key(ofID id: String) async throws -> String? {
    try await read { transaction in
      try transaction.row("SELECT key FROM session WHERE key >= ? AND key < ?", .text(id), .text(id + "g"))?[0].text()
    }
  }

  /// The keys of sessions in whose profile a bridge has this member, those that were used last first.
  func keys(withMember member: String, of bridge: String, limit: Int) async throws -> [String] {
    // Databases differ in their functions for JSON. This finds few sessions besides the right ones.
    let sql = """
      SELECT key, profile FROM session
      WHERE key NOT LIKE 'damaged %' AND CAST(profile AS TEXT) LIKE ? ORDER BY usedAt DESC
      """
    return try await read { transaction in
      let rows = try transaction.rows(sql, .text("%\"\(member)\":%"))
      let matches = rows.lazy.filter { row in
        let profile = row[1].data.flatMap { try? JSONValue(parsing: $0) }
        return profile?["bridges"]?[bridge]?[member] != nil
      }
      return try matches.prefix(limit).map { try $0[0].text() }
    }
  }

  // MARK: Writing

  /// Writes something beside the sessions.
  func write(_ body: @escaping @Sendable (any StoreTransaction) throws -> Void) async throws {
    try await engine.write(body)
  }

  /// Stores changes, each of them completely or not at all. Returns when the stored ones are synced to the disk.
  ///
  /// All are written and synced together. If the store refuses one of them, each is tried separately, so that one session's change does not
  /// affect others. Only sessions that share a world stay together.
  ///
  /// - Returns: Why changes are not stored, by their indexes in `changes`.
  func keep(_ changes: [SessionChange]) async -> [Int: StoreFailure] {
    guard let failure = await write(changes) else { return [:] }
    let groups = Self.groups(of: changes)
    if failure.isOfOneChange, groups.count > 1 {
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

  private func write(_ changes: [SessionChange]) async -> StoreFailure? {
    do {
      try await engine.write { transaction in
        try Self.check(Set(changes.flatMap(\.fences)), in: transaction)
        for change in changes { try Self.write(change, to: transaction) }
      }
      return nil
    } catch {
      // What the transaction itself has thrown.
      if case .refused(let failure as StoreFailure) = error { return failure }
      return error
    }
  }

  /// Records that a session is used.
  ///
  /// - Parameter fence: What proves that the session is this server's; nil if no other one shares the store.
  func use(_ key: String, fence: SessionFence? = nil) async {
    try? await engine.write { transaction in
      try Self.check(Set([fence].compactMap(\.self)), in: transaction)
      try transaction.run("UPDATE session SET usedAt = ? WHERE key = ?", .text(Self.time(Date())), .text(key))
    }
  }

  /// How many sessions are deleted together.
  private static let deletionCount = 200

  /// Deletes sessions: those that need not outlast their pages and were last used before `ended`, and others that were last used before
  /// `overdue`. Deletes a few at a time, so that no change waits for long.
  ///
  /// - Parameters:
  ///   - running: The keys of running sessions. They stay.
  ///   - replica: This server, if others run sessions of the store. Those stay, too.
  func forget(
    endedBefore ended: Date, unusedSince overdue: Date, except running: Set<String>, by replica: Replica? = nil
  ) async throws {
    // In this form SQLite finds the rows by their index, and does not read the whole table at each start.
    let isOver = "(isLasting = 0 AND usedAt < ? OR isLasting = 1 AND usedAt < ?)"
    let free = replica != nil ? " AND NOT EXISTS (SELECT 1 FROM sessionOwner WHERE sessionKey = session.key)" : ""
    let times = [Self.time(max(ended, overdue)), Self.time(overdue)]
    let keys = try await read { transaction in
      let sql = "SELECT key FROM session WHERE \(isOver)\(free)"
      return try transaction.rows(sql, .text(times[0]), .text(times[1])).map { try $0[0].text() }
    }
    for start in stride(from: 0, to: keys.count, by: Self.deletionCount) {
      let some = keys[start..<min(start + Self.deletionCount, keys.count)]
      try await engine.write { transaction in
        let some = some.filter { !running.contains($0) }
        let ours = try replica.map { try Self.hold(some, for: $0, in: transaction) } ?? some
        for key in ours {
          // It may have been used since.
          try transaction.run(
            "DELETE FROM session WHERE key = ? AND \(isOver)", .text(key), .text(times[0]), .text(times[1]))
        }
        if let replica { try Self.letGo(ours, of: replica, in: transaction) }
      }
    }
  }
}

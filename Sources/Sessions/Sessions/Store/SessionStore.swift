import BridgeCore
import Essentials
package import Logging
import Synchronization

/// The database with the part of sessions that outlives the server.
///
/// Writes have their own thread. Reads do not wait until a change is durable.
package final class SessionStore: Sendable {
  private let engine: any StoreEngine
  let seal: StoreSeal?
  private let logger: Logger
  private let sessions: GatheredReads
  private let reads: StoreOutage
  private let writes: StoreOutage

  /// Creates a store in an open database.
  ///
  /// - Parameter seal: The seal of what may be secret; nil to seal nothing.
  package init(
    _ engine: any StoreEngine, states stateTypes: [any BridgeState.Type], seal: StoreSeal? = nil, logger: Logger
  ) {
    self.engine = engine
    self.seal = seal
    self.logger = logger
    let reads = StoreOutage("be read", effect: "Requests that need it get 503 until this is fixed.", logger)
    self.reads = reads
    sessions = GatheredReads { keys in
      try await Self.read(engine, reads) { try Self.read(keys, stateTypes, seal, from: $0) }
    }
    writes = StoreOutage("be written", effect: "Calls that change a session fail until this is fixed.", logger)
  }

  /// Opens the store of a state directory: one SQLite file. Creates it if it does not exist.
  ///
  /// If the file is not a database, it is renamed, and a warning is logged.
  ///
  /// - Throws: ``StateError`` if another version of Footbridge has written the file, or if it cannot be used at all.
  package convenience init(
    _ directory: StateDirectory, states stateTypes: [any BridgeState.Type], seal: StoreSeal? = nil, logger: Logger
  ) throws {
    self.init(try SQLiteEngine(directory, logger: logger), states: stateTypes, seal: seal, logger: logger)
  }

  /// Tells the database that the server stops. Calls no longer wait long for it.
  func willClose() { engine.willClose() }

  /// Closes the store.
  func close() { engine.close() }

  // MARK: Damage

  /// Whether the store was not closed properly. It then needs a ``check()``.
  var needsCheck: Bool { engine.needsCheck }

  /// Checks the store for damage, in the background. This takes seconds for a store with many sessions.
  func check() async -> StoreCondition { await engine.check() }

  /// Renames a damaged store and creates an empty one.
  ///
  /// - Throws: ``StateError/unusable(_:reason:)`` if a new one cannot be created yet. It is tried again when the store is used.
  func replaceDamaged() async throws { try await engine.replaceDamaged() }

  /// Whether an error of a read may mean that the store is damaged.
  func mayBeDamage(_ error: any Error) -> Bool { engine.mayBeDamage(error) }

  // MARK: Reading

  /// Reads a session; nil if it is unknown. If the session is damaged, logs this, sets it aside, and returns nil.
  ///
  /// - Parameter fence: What proves that the session is this server's; nil if no other one shares the store. Servers that share it may be of
  ///   different versions: what this one cannot read stays for the others.
  /// - Throws: ``UnreadableSession`` for a session of a shared store; ``StoreUnavailable``.
  func session(_ key: String, fence: SessionFence? = nil) async throws -> StoredSession? {
    do {
      return try await sessions.session(key)
    } catch let error as DecodingError {
      guard fence == nil else { throw UnreadableSession(reason: error) }
      try await engine.write { try Self.setAside(key, in: $0) }
      logger.warning("A session is damaged: \(error). It was set aside in the store and starts again from nothing.")
      return nil
    }
  }

  /// Returns the record of new sessions with the stored content of their world.
  ///
  /// - Throws: ``StateError/unusable(_:reason:)`` if the store cannot be read.
  package func withWorld(_ record: SessionRecord) throws -> SessionRecord {
    do { return try engine.readNow { try record.withWorld(from: $0) } } catch { throw engine.unusable(error) }
  }

  /// Reads rows.
  ///
  /// - Throws: ``StoreUnavailable``, or the error of `body`.
  package func read<Value: Sendable>(
    _ body: @escaping @Sendable (any StoreTransaction) throws -> Value
  ) async throws -> Value {
    try await Self.read(engine, reads, body)
  }

  private static func read<Value: Sendable>(
    _ engine: any StoreEngine, _ outage: StoreOutage, _ body: @escaping @Sendable (any StoreTransaction) throws -> Value
  ) async throws -> Value {
    do {
      let value = try await engine.read(body)
      outage.succeeded()
      return value
    } catch  where engine.isUnavailable(error) {
      outage.failed(error)
      throw StoreUnavailable(cause: error)
    }
  }

  /// Returns the key of the session with this id; nil if it is unknown.
  func key(ofID id: String) async throws -> String? {
    try await read { transaction in
      try transaction.row("SELECT key FROM session WHERE key >= ? AND key < ?", .text(id), .text(id + "g"))?[0].text()
    }
  }

  /// Returns the keys of sessions in whose profile a bridge has this member, the last used first.
  func keys(withMember member: String, of bridge: String, limit: Int) async throws -> [String] {
    // SQLite and PostgreSQL have different JSON functions. `LIKE` finds a few other sessions too, which are filtered out below.
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

  /// Runs a transaction that writes other rows than those of sessions. `body` may run more than once.
  ///
  /// - Returns: What `body` returned when it ran for the last time.
  package func write<Value: Sendable>(_ body: @escaping @Sendable (any StoreTransaction) throws -> Value) async throws
    -> Value
  {
    let value = Mutex<Value?>(nil)
    try await tracked { transaction in
      let written = try body(transaction)
      value.withLock { $0 = written }
    }
    guard let value = value.withLock({ $0 }) else { preconditionFailure("a transaction was stored without being run") }
    return value
  }

  /// Stores changes, each completely or not at all. Returns when they are durable.
  ///
  /// All changes are written in one transaction. If the store refuses it, each change is tried alone, so that a bad change of one session
  /// does not affect others. Only changes of sessions that share a world stay together.
  ///
  /// - Returns: The failures, by the indexes in `changes`. Changes without a failure are stored.
  func save(_ changes: [SessionChange]) async -> [Int: StoreFailure] {
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

  /// Groups the indexes of changes that are stored together or not at all: one group for each world, and one for each other change.
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

  /// Runs a transaction that writes, and logs if the store cannot be written.
  private func tracked(
    _ body: @escaping @Sendable (any StoreTransaction) throws -> Void
  ) async throws(StoreFailure) {
    do throws(StoreFailure) {
      try await engine.write(body)
      writes.succeeded()
    } catch {
      if !error.isOfOneChange, !error.isClosed { writes.failed(error) }
      throw error
    }
  }

  private func write(_ changes: [SessionChange]) async -> StoreFailure? {
    do throws(StoreFailure) {
      try await tracked { [engine, seal] transaction in
        try engine.check(Set(changes.flatMap(\.fences)), in: transaction)
        for change in changes { try Self.write(change, seal, to: transaction) }
      }
      return nil
    } catch {
      // The transaction itself has thrown this failure.
      if case .refused(let failure as StoreFailure) = error { return failure }
      return error
    }
  }

  /// Stores the present time as the time of a session's last use.
  ///
  /// - Parameter fence: The proof that this server owns the session; nil if no other server shares the store.
  func use(_ key: String, fence: SessionFence? = nil) async {
    try? await engine.write { [engine] transaction in
      try engine.check(Set([fence].compactMap(\.self)), in: transaction)
      try transaction.run("UPDATE session SET usedAt = ? WHERE key = ?", .text(Self.time(Date())), .text(key))
    }
  }

  /// The maximum number of sessions that are deleted in one transaction.
  private static let deletionCount = 200

  /// Deletes old sessions, a few at a time, so that no change waits for long.
  ///
  /// - Parameters:
  ///   - running: The keys of running sessions. They stay.
  ///   - replica: The id of this server, if others run sessions of the store. Those stay, too.
  func forget(
    endedBefore ended: Date, unusedSince overdue: Date, except running: Set<String>, by replica: String? = nil
  ) async throws {
    // SQLite can use an index for this condition. Otherwise it would scan the whole table at each start.
    let isOver = "(isLasting = 0 AND usedAt < ? OR isLasting = 1 AND usedAt < ?)"
    let free = replica != nil ? " AND NOT EXISTS (SELECT 1 FROM sessionOwner WHERE sessionKey = session.key)" : ""
    let times = [Self.time(max(ended, overdue)), Self.time(overdue)]
    let keys = try await read { transaction in
      let sql = "SELECT key FROM session WHERE \(isOver)\(free)"
      return try transaction.rows(sql, .text(times[0]), .text(times[1])).map { try $0[0].text() }
    }
    for start in stride(from: 0, to: keys.count, by: Self.deletionCount) {
      let some = keys[start..<min(start + Self.deletionCount, keys.count)]
      try await engine.write { [engine] transaction in
        let some = some.filter { !running.contains($0) }
        let ours = try replica.map { try engine.hold(some, for: $0, in: transaction) } ?? some
        for key in ours {
          // It may have been used since.
          try transaction.run(
            "DELETE FROM session WHERE key = ? AND \(isOver)", .text(key), .text(times[0]), .text(times[1]))
        }
        if let replica { try engine.release(ours, of: replica, in: transaction) }
      }
    }
  }
}

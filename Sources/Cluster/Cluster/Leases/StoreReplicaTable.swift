import Essentials
import Sessions

/// The table of replicas in the database of the store.
package struct StoreReplicaTable: ReplicaTable {
  /// A separate connection for leases, so that a renewal waits neither for writes nor for claims.
  let leases: PostgreSQLLane
  /// The connection for claims. A claim of a session waits for a write of its owner that is under way.
  private let owners: PostgreSQLLane

  /// An SQL expression for the database's time in milliseconds. It advances within a transaction.
  static let now = "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS bigint)"
  /// The time after which the rows of ended replicas are deleted, in milliseconds.
  private static let retentionTime = 3_600_000
  /// Separates keys in a parameter. People choose the names of worlds, so the separator is a control character.
  static let separator = "\u{1F}"

  /// - Parameter lease: The length of the leases.
  package init(_ engine: PostgreSQLEngine, lease: Duration) {
    leases = engine.lane("leases", .lease(lease))
    owners = engine.lane("owners")
  }

  /// Closes the connections.
  package func close() {
    leases.close()
    owners.close()
  }

  package func enter(_ replica: Replica, lease: Duration) async throws {
    try await write(leases) { transaction in
      try transaction.run("DELETE FROM replica WHERE leaseEnd < \(Self.now) - \(Self.retentionTime)")
      try transaction.run(
        "INSERT INTO replica (id, address, markVersion, leaseEnd) VALUES (?, ?, ?, \(Self.now) + ?)",
        .text(replica.id), .text(replica.address), .integer(replica.markVersion),
        .integer(Self.milliseconds(lease)))
    }
  }

  package func renew(_ replica: Replica, lease: Duration) async throws -> [Replica]? {
    try await write(leases) { transaction in
      let sql = "UPDATE replica SET leaseEnd = \(Self.now) + ? WHERE id = ? AND leaseEnd > \(Self.now) RETURNING id"
      guard try transaction.row(sql, .integer(Self.milliseconds(lease)), .text(replica.id)) != nil else { return nil }
      let all = "SELECT id, address, markVersion FROM replica WHERE leaseEnd > \(Self.now)"
      return try transaction.rows(all).map { try Self.replica($0[...]) }
    }
  }

  package func claim(
    _ keys: [String], usualWorld: String? = nil, for replica: Replica
  ) async throws -> [SessionClaim] {
    try await write(owners) { transaction in
      let worlds = try Self.worlds(of: keys, usualWorld, transaction)
      // Every claim locks worlds before sessions, so two claims never wait for each other.
      let wanted = keys.filter { SessionFence.isOfWorld($0) } + worlds.values
      var claims = try Self.claim(Set(wanted), for: replica, transaction)
      // If another replica owns the world, do not claim the session: that replica claims it.
      for (key, world) in worlds {
        if case .others(let owner) = claims[world] { claims[key] = .others(owner) }
      }
      claims.merge(try Self.claim(Set(keys).subtracting(claims.keys), for: replica, transaction)) { $1 }
      return keys.map { claims[$0] ?? .leaseEnded }
    }
  }

  /// Returns the keys of the sessions' worlds, by the keys of the sessions.
  private static func worlds(
    of keys: [String], _ usualWorld: String?, _ transaction: any StoreTransaction
  ) throws -> [String: String] {
    var worlds: [String: String] = [:]
    if let usualWorld {
      for key in keys where !SessionFence.isOfWorld(key) { worlds[key] = SessionFence.key(ofWorld: usualWorld) }
    }
    let sql = "SELECT key, world FROM session WHERE key = ANY(string_to_array(?, ?))"
    for row in try transaction.rows(sql, list(keys), .text(separator)) {
      worlds[try row[0].text()] = row[1].bytes.map {
        SessionFence.key(ofWorld: String(decoding: $0, as: UTF8.self))
      }
    }
    return worlds
  }

  private static func claim(
    _ keys: Set<String>, for replica: Replica, _ transaction: any StoreTransaction
  ) throws -> [String: SessionClaim] {
    if keys.isEmpty { return [:] }
    // The statement would also lock rows of other replicas. So leave out what they own. Between the two statements, they may claim more.
    var claims = try others(keys, replica, transaction)
    let free = keys.filter { claims[$0] == nil }
    if free.isEmpty { return claims }
    for row in try transaction.rows(claimed, list(free), .text(separator), .text(replica.id)) {
      let key = try row[0].text()
      claims[key] = .mine(
        SessionFence(
          key: key, replicaID: replica.id, number: try row[1].integer(), claimedAt: try row[2].integer()))
    }
    let rest = free.filter { claims[$0] == nil }
    if rest.isEmpty { return claims }
    return claims.merging(try others(rest, replica, transaction)) { $1 }
  }

  /// Returns the sessions among these that belong to other replicas with a valid lease.
  private static func others(
    _ keys: Set<String>, _ replica: Replica, _ transaction: any StoreTransaction
  ) throws -> [String: SessionClaim] {
    var claims: [String: SessionClaim] = [:]
    for row in try transaction.rows(ownersOfOthers, list(keys), .text(separator), .text(replica.id)) {
      claims[try row[0].text()] = .others(try Self.replica(row.dropFirst()))
    }
    return claims
  }

  /// Reads the columns `id`, `address` and `markVersion`.
  private static func replica(_ row: ArraySlice<StoreValue>) throws -> Replica {
    let columns = Array(row)
    return Replica(id: try columns[0].text(), address: try columns[1].text(), markVersion: try columns[2].integer())
  }

  /// Takes sessions that are free, that already belong to the replica, or whose owner's lease has ended. The order of the keys makes sure that
  /// two claims never wait for each other.
  private static let claimed = """
    INSERT INTO sessionOwner AS owned (sessionKey, replicaID, fence)
    SELECT wanted.key, replica.id, 1 FROM unnest(string_to_array(?, ?)) AS wanted(key), replica
    WHERE replica.id = ? AND replica.leaseEnd > \(now) ORDER BY wanted.key
    ON CONFLICT (sessionKey) DO UPDATE SET replicaID = EXCLUDED.replicaID,
    fence = owned.fence + CASE WHEN owned.replicaID = EXCLUDED.replicaID THEN 0 ELSE 1 END
    WHERE owned.replicaID = EXCLUDED.replicaID
    OR NOT EXISTS (SELECT 1 FROM replica WHERE id = owned.replicaID AND leaseEnd > \(now))
    RETURNING owned.sessionKey, owned.fence, CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS bigint)
    """

  /// Finds the owners of sessions among the other replicas.
  private static let ownersOfOthers = """
    SELECT sessionOwner.sessionKey, replica.id, replica.address, replica.markVersion
    FROM sessionOwner JOIN replica ON replica.id = sessionOwner.replicaID
    WHERE sessionOwner.sessionKey = ANY(string_to_array(?, ?)) AND replica.id <> ? AND replica.leaseEnd > \(now)
    """

  package func key(ofID id: String) async throws -> String? {
    try await write(owners) { transaction in
      try transaction.row(
        "SELECT sessionKey FROM sessionOwner WHERE sessionKey >= ? AND sessionKey < ?", .text(id), .text(id + "g"))?[0]
        .text()
    }
  }

  package func release(_ keys: [String], of replica: Replica) async throws {
    try await write(owners) { transaction in
      try transaction.run(
        "DELETE FROM sessionOwner WHERE sessionKey = ANY(string_to_array(?, ?)) AND replicaID = ?", Self.list(keys),
        .text(Self.separator), .text(replica.id))
    }
  }

  package func leave(_ replica: Replica) async throws {
    do {
      try await remove(replica)
    } catch let error as PostgreSQLError where error.isLost {
      // The database may have been restarted meanwhile. Nothing changes if the replica has left already.
      try await remove(replica)
    }
  }

  private func remove(_ replica: Replica) async throws {
    // This may take longer than a lease allows its connection.
    try await write(owners) { transaction in
      // Its pages come back within seconds. Until then nothing but this time keeps sessions that end with their pages.
      try transaction.run(
        """
        UPDATE session SET usedAt = ? WHERE isLasting = 0
        AND key IN (SELECT sessionKey FROM sessionOwner WHERE replicaID = ?)
        """, .text(SessionStore.time(Date())), .text(replica.id))
      // What it owns goes with its row.
      try transaction.run("DELETE FROM replica WHERE id = ?", .text(replica.id))
    }
  }

  private func write<Value: Sendable>(
    _ lane: PostgreSQLLane, _ body: @escaping @Sendable (any StoreTransaction) throws -> Value
  ) async throws -> Value {
    try await lane.perform { try $0.transaction("", body) }
  }

  private static func milliseconds(_ duration: Duration) -> Int { Int(duration / .milliseconds(1)) }

  static func list(_ keys: some Sequence<String>) -> StoreValue { .text(keys.joined(separator: separator)) }
}

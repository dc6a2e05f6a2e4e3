/// One of several servers that share a database.
package struct Replica: Sendable, Hashable {
  /// A random id, which is new after each start and after each loss of the lease.
  package let id: String
  /// The host and port where other replicas reach this one.
  package let address: String
  /// The newest version of the marks on requests that it reads. A replica of a former version has an older one.
  package let markVersion: Int

  /// The version of the marks that this program writes to its equals.
  package static let presentMarkVersion = 3
  /// The version of the former program, which this one reads and writes as well.
  package static let formerMarkVersion = 2

  package init(id: String, address: String, markVersion: Int = presentMarkVersion) {
    self.id = id
    self.address = address
    self.markVersion = markVersion
  }
}

/// The result of a claim to a session.
package enum SessionClaim: Sendable, Hashable {
  /// The session belongs to the replica that has asked. Each write of it must carry this fence.
  case mine(SessionFence)
  /// The session belongs to another replica, which has a valid lease.
  case others(Replica)
  /// The lease of the replica that has asked has ended, so it owns no session.
  case leaseEnded
}

/// Proves that a session or a world belongs to a replica. The store compares it in each transaction that writes the session.
package struct SessionFence: Sendable, Hashable {
  /// The key of the session, or ``key(ofWorld:)``.
  package let key: String
  /// The id of the replica that has claimed the session.
  package let replicaID: String
  /// Increases each time the session moves to another replica.
  package let number: Int
  /// When the replica has claimed the session, in microseconds since 1970 on the database's clock.
  package let claimedAt: Int

  package init(key: String, replicaID: String, number: Int, claimedAt: Int = 0) {
    self.key = key
    self.replicaID = replicaID
    self.number = number
    self.claimedAt = claimedAt
  }

  /// Compares what proves the ownership, and not the time.
  package static func == (one: SessionFence, other: SessionFence) -> Bool {
    one.key == other.key && one.replicaID == other.replicaID && one.number == other.number
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    hasher.combine(replicaID)
    hasher.combine(number)
  }

  /// Returns the key under which a world is owned. All sessions of a world belong to one replica, which has the world in memory.
  package static func key(ofWorld name: String) -> String { worldPrefix + name }

  /// Whether a key is that of a world.
  package static func isOfWorld(_ key: String) -> Bool { key.hasPrefix(worldPrefix) }

  private static let worldPrefix = "world "
}

/// The table of replicas and of the owners of sessions, which all replicas share. Times are those of the database's clock.
///
/// Each method may take any time. It throws if the database cannot be reached. It is then unknown whether it had an effect.
package protocol ReplicaTable: Sendable {
  /// Registers a new replica and begins its lease.
  func enter(_ replica: Replica, lease: Duration) async throws

  /// Extends the lease of a replica.
  ///
  /// - Returns: All replicas with a valid lease, this one included; nil if its own lease has ended.
  func renew(_ replica: Replica, lease: Duration) async throws -> [Replica]?

  /// Claims sessions and worlds that have no owner, or whose owner's lease has ended. The world of a session is claimed before the session. If
  /// another replica owns the world, the session belongs to that replica.
  ///
  /// - Parameter usualWorld: The world of sessions that are not stored yet; nil if they share none.
  /// - Returns: One result for each key, in order.
  func claim(_ keys: [String], usualWorld: String?, for replica: Replica) async throws -> [SessionClaim]

  /// Returns the key of the session with this id; nil if no replica owns it.
  func key(ofID id: String) async throws -> String?

  /// Releases sessions, so that another replica can claim them at once. Does not change sessions of other replicas.
  func release(_ keys: [String], of replica: Replica) async throws

  /// Removes a replica, and releases all its sessions.
  func leave(_ replica: Replica) async throws

  /// Closes the connections. No other method may be called afterwards.
  func close()
}

/// A session cannot be launched on this server, since another replica owns it.
package struct SessionElsewhere: Error, Hashable, CustomStringConvertible {
  /// The key of the session, or of the world.
  package let key: String
  /// The owner; nil if this replica has no lease, so that it cannot launch any session.
  package let replica: Replica?

  package var description: String {
    guard let replica else {
      return "This replica cannot reach the database. It serves no session until it can."
    }
    return "The session belongs to the replica at \(replica.address)."
  }
}

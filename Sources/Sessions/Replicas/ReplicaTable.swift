/// One server of several on one database.
package struct Replica: Sendable, Hashable {
  /// The id, made by chance at each start, and again after a lost lease.
  package let id: String
  /// Where the other replicas reach it: host and port.
  package let address: String

  package init(id: String, address: String) {
    self.id = id
    self.address = address
  }
}

/// What came of a claim to a session.
package enum SessionClaim: Sendable, Hashable {
  /// The session belongs to the replica that has asked. Each write carries the fence.
  case mine(SessionFence)
  /// It belongs to another replica whose lease runs.
  case others(Replica)
  /// The lease of the replica that has asked has ended. It owns nothing.
  case leaseEnded
}

/// Proves that a session, or a world that sessions share, still belongs to a replica: the store compares it in each transaction that
/// writes the session.
package struct SessionFence: Sendable, Hashable {
  /// The key of the session, or ``key(ofWorld:)``.
  package let key: String
  /// The id of the replica that has claimed the session.
  package let replicaID: String
  /// Grows each time the session goes to another replica.
  package let number: Int

  package init(key: String, replicaID: String, number: Int) {
    self.key = key
    self.replicaID = replicaID
    self.number = number
  }

  /// What stands for a world among the keys of sessions. Its sessions belong to one replica, which has the world in its memory.
  package static func key(ofWorld name: String) -> String { worldPrefix + name }

  /// Whether a key stands for a world.
  package static func isOfWorld(_ key: String) -> Bool { key.hasPrefix(worldPrefix) }

  private static let worldPrefix = "world "
}

/// The replicas and the owners of sessions, as all replicas see them. Times are those of the database's clock.
///
/// Every method throws if the database cannot be reached, and may take any time. It is then unknown whether it had an effect.
package protocol ReplicaTable: Sendable {
  /// Enters a new replica, and begins its lease.
  func enter(_ replica: Replica, lease: Duration) async throws

  /// Extends the lease of a replica. Returns the replicas whose leases run, with this one; nil if its lease has ended.
  func renew(_ replica: Replica, lease: Duration) async throws -> [Replica]?

  /// Claims sessions and worlds: those that nobody owns, and those whose owner's lease has ended. The world of a session is claimed
  /// before it; if that is another replica's, the session goes there.
  ///
  /// - Parameter usualWorld: The world of sessions that are not stored yet; nil if each has its own.
  /// - Returns: One result for each key, in order.
  func claim(_ keys: [String], usualWorld: String?, for replica: Replica) async throws -> [SessionClaim]

  /// The key of an owned session with this id; nil if nobody owns one.
  func key(ofID id: String) async throws -> String?

  /// Gives sessions up, so that another replica can claim them at once. Those that another replica has are left alone.
  func release(_ keys: [String], of replica: Replica) async throws

  /// Removes a replica, and gives up all that it owns.
  func leave(_ replica: Replica) async throws

  /// Nothing more is asked.
  func close()
}

/// A session cannot be launched here: it belongs to another replica.
package struct SessionElsewhere: Error, Hashable, CustomStringConvertible {
  /// The key of the session, or of the world.
  package let key: String
  /// The replica; nil if this one has no lease, so that it owns nothing.
  package let replica: Replica?

  package var description: String {
    guard let replica else {
      return "This replica cannot reach the database, and owns no session until it can."
    }
    return "The session belongs to the replica at \(replica.address)."
  }
}

package import Sessions

/// One of several servers that share a database.
package struct Replica: Sendable, Hashable {
  /// A random id, which is new after each start and after each loss of the lease.
  package let id: String
  /// The host and port where other replicas reach this one.
  package let address: String
  /// The newest version of the marks on requests that it reads. A replica of a former version has an older one.
  package let markVersion: Int

  /// The version of the marks that this program writes to its equals.
  package static let presentMarkVersion = 5
  /// The version of the former program, which this one reads and writes as well.
  package static let formerMarkVersion = 4

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

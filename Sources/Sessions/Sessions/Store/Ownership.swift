package import BridgeRuntime

/// Decides which sessions this server may run and write. Servers that share a store never run the same session.
///
/// ``SoleOwner`` is for a server that shares its store with no other one.
@BridgeActor
package protocol Ownership: AnyObject {
  /// Whether other servers share the store.
  var isShared: Bool { get }
  /// Whether this server may run sessions now.
  var hasLease: Bool { get }
  /// The id of this server among those that share the store; nil while it has no lease, or if it shares the store with no other one.
  var replicaID: String? { get }
  /// The time on the store's clock, in microseconds since 1970; nil if the store has no clock of its own.
  var storeTime: Int? { get }
  /// Receives what happens to the ownership.
  var delegate: (any OwnershipDelegate)? { get set }

  /// Whether this server may run a session now. `key` is that of the session.
  func owns(_ key: String) -> Bool

  /// The proof of ownership that each write of a session carries; nil if there is none.
  func fence(of key: String) -> SessionFence?

  /// Claims sessions and worlds, except those that this server already owns. Those of others stay theirs.
  ///
  /// - Throws: An error if the store cannot be reached.
  func claim(_ keys: [String]) async throws

  /// Claims a session or a world.
  ///
  /// - Throws: ``SessionElsewhere`` if another server owns it; an error if the store cannot be reached.
  func own(_ key: String) async throws

  /// Returns the key of the session with this id; nil if no server owns it.
  ///
  /// - Throws: An error if the store cannot be reached.
  func key(ofID id: String) async throws -> String?

  /// Releases a session that this server cannot run, so that another one can claim it at once.
  func release(_ key: String)

  /// Notes that the store has refused a write, since another server owns the session.
  func lost(_ key: String)

  /// Begins the lease, since the server listens. Calls ``OwnershipDelegate/leaseBegan()``.
  ///
  /// - Parameter address: The host and port where the other servers reach this one.
  func begin(at address: String)

  /// Ends the lease at once if its time is over, as it is after a stop of the process.
  func checkLease()

  /// Releases all sessions. Call it after everything is stored.
  func stop() async
}

/// Receives what happens to the ownership of sessions: the ``SessionRegistry``.
@BridgeActor
package protocol OwnershipDelegate: AnyObject {
  /// The world of sessions that are not stored yet; nil if they share none.
  var usualWorld: String? { get }
  /// The keys of sessions and worlds that are in use.
  var neededKeys: Set<String> { get }
  /// A lease has begun.
  func leaseBegan()
  /// The lease was renewed. Other servers may have changed shared data.
  func leaseRenewed()
  /// Other servers may own these sessions from now on.
  func ownershipLost(of keys: [String])
}

/// Owns every session: no other server shares the store.
package final class SoleOwner: Ownership {
  package let isShared = false
  package let hasLease = true
  package let replicaID: String? = nil
  package let storeTime: Int? = nil
  package weak var delegate: (any OwnershipDelegate)?

  package init() {}

  package func owns(_ key: String) -> Bool { true }
  package func fence(of key: String) -> SessionFence? { nil }
  package func claim(_ keys: [String]) {}
  package func own(_ key: String) {}
  package func key(ofID id: String) -> String? { nil }
  package func release(_ key: String) {}
  package func lost(_ key: String) {}
  package func begin(at address: String) { delegate?.leaseBegan() }
  package func checkLease() {}
  package func stop() {}
}

/// A session cannot run on this server, since another one owns it.
package struct SessionElsewhere: Error, Hashable, CustomStringConvertible {
  /// The key of the session, or of the world.
  package let key: String
  /// The host and port of the owner; nil if this server has no lease, so that it can run no session.
  package let address: String?

  package init(key: String, address: String?) {
    self.key = key
    self.address = address
  }

  package var description: String {
    guard let address else {
      return "This replica cannot reach the database. It serves no session until it can."
    }
    return "The session belongs to the replica at \(address)."
  }
}

import BridgeRuntime
import Cryptography
import Logging
import Sessions

/// What servers on one database share, besides their sessions.
struct ReplicaSharing: Sendable {
  /// The table of replicas and owners.
  let table: any ReplicaTable
  /// Makes keys of the one that all of them have.
  let authentication: AuthenticationCode

  /// - Parameter key: A key that all servers on the database have, and nobody else.
  init(table: any ReplicaTable, key: [UInt8]) {
    self.table = table
    authentication = AuthenticationCode(key: key)
  }

  /// Where the requests of one of them come in; nil if it has no sessions of its own.
  @BridgeActor
  func door(
    _ ownership: SessionOwnership?, sessions: SessionRegistry, lease: Duration, logger: Logger
  ) throws -> ReplicaDoor? {
    guard let ownership else { return nil }
    let key = authentication.code(of: Array("requests between replicas".utf8))
    return try ReplicaDoor(ownership, sessions: sessions, key: key, lease: lease, logger: logger)
  }
}

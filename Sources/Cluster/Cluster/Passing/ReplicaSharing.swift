import BridgeRuntime
package import Cryptography
package import Logging
package import Sessions

/// The data that servers on one database share, besides their sessions.
package struct ReplicaSharing: Sendable {
  /// The table of replicas and owners.
  package let table: any ReplicaTable
  /// Derives further keys from the key that all servers have.
  package let authentication: AuthenticationCode
  /// How long the owner of a session may send nothing to a page of another replica: at least twice the time between its pings.
  var longestSilence = Duration.seconds(60)

  /// - Parameter key: A key that only the servers on this database have.
  package init(table: any ReplicaTable, key: [UInt8]) {
    self.table = table
    authentication = AuthenticationCode(key: key)
  }

  /// The gateway of a server; nil if the server owns no sessions.
  @BridgeActor
  package func gateway(
    _ ownership: SessionOwnership?, sessions: SessionRegistry, lease: Duration, logger: Logger
  ) throws -> ReplicaGateway? {
    guard let ownership else { return nil }
    let key = authentication.code(of: Array("requests between replicas".utf8))
    return try ReplicaGateway(
      ownership, sessions: sessions, key: key, lease: lease, longestSilence: longestSilence, logger: logger)
  }
}

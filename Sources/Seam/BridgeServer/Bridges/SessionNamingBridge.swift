import BridgeRuntime
package import Sessions

/// Finds the key of a session that a request names; nil if there is none.
package typealias SessionLookup = @Sendable @BridgeActor (SessionRegistry) async throws -> String?

/// A bridge with paths that name a session: a request for one of them belongs to that session, and not to the browser's.
package protocol SessionNamingBridge: BridgeDefinition {
  /// Returns what finds the session that a path of this bridge names; nil for any other path.
  ///
  /// - Parameter route: The path below `/__footbridge/`.
  func session(requestedAt route: Substring) -> SessionLookup?
}

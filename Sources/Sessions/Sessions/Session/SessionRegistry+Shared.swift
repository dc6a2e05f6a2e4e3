package import BridgeRuntime

/// What servers on one database share besides sessions.
extension SessionRegistry {
  /// Remembers a token at all servers on the database. Returns whether it is new; always true if no other server shares the store.
  ///
  /// - Throws: An error if the database cannot be reached.
  package func use(token id: String, until end: BridgeInstant, now: BridgeInstant) async throws -> Bool {
    guard ownership.isShared, let store else { return true }
    return try await store.use(token: id, until: end, now: now)
  }
}

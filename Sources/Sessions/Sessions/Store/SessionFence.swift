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

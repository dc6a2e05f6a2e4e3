import BridgeRuntime

/// Claims sessions for many requests at once: what is wanted while a claim is under way is claimed together, next.
///
/// Each claim is a transaction of its own. When a replica has ended, thousands of sessions are wanted at the same time. One after the other
/// they would take longer than requests wait, and a renewal of the lease would wait behind them.
@BridgeActor
final class GatheredClaims {
  /// What is claimed together.
  @BridgeActor
  private final class Group {
    let usualWorld: String?
    let replica: Replica
    var keys: Set<String> = []
    var result: Task<[String: SessionClaim], any Error>?

    init(_ usualWorld: String?, _ replica: Replica) {
      self.usualWorld = usualWorld
      self.replica = replica
    }
  }

  /// How many sessions are claimed together. A renewal of the lease waits for no more.
  private static let mostKeys = 1000

  private let table: any ReplicaTable
  /// The group that has not begun.
  private var next: Group?
  /// The group that has begun last or is to begin. Each waits for the one before.
  private var last: Group?

  init(_ table: any ReplicaTable) {
    self.table = table
  }

  /// Claims sessions.
  ///
  /// - Parameter usualWorld: The world of sessions that are not stored yet; nil if each has its own.
  /// - Returns: The result for each key, and for others that were claimed with them.
  /// - Throws: If the database cannot be reached.
  func claim(_ keys: [String], usualWorld: String?, for replica: Replica) async throws -> [String: SessionClaim] {
    let group = group(usualWorld, replica)
    group.keys.formUnion(keys)
    return try await group.result?.value ?? [:]
  }

  private func group(_ usualWorld: String?, _ replica: Replica) -> Group {
    if let next, next.replica == replica, next.usualWorld == usualWorld, next.keys.count < Self.mostKeys { return next }
    let group = Group(usualWorld, replica)
    group.result = Task { [former = last?.result, self] in
      _ = await former?.result
      return try await claim(group)
    }
    next = group
    last = group
    return group
  }

  private func claim(_ group: Group) async throws -> [String: SessionClaim] {
    if next === group { next = nil }
    defer { if last === group { last = nil } }
    let keys = Array(group.keys)
    let results = try await table.claim(keys, usualWorld: group.usualWorld, for: group.replica)
    return Dictionary(uniqueKeysWithValues: zip(keys, results))
  }
}

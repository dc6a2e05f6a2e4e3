import BridgeRuntime

/// Claims sessions for many requests in one transaction. Sessions that are requested during a claim are claimed together afterwards.
///
/// When a replica ends, thousands of sessions are requested at the same time. With one transaction for each, requests would time out, and a
/// renewal of the lease would wait behind them.
@BridgeActor
final class GatheredClaims {
  /// Sessions that are claimed in one transaction.
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

  /// The maximum number of sessions in one claim, so that a renewal of the lease does not wait long.
  private static let mostKeys = 1000

  private let table: any ReplicaTable
  /// The group whose claim has not begun. New sessions are added to it.
  private var next: Group?
  /// The latest group. Each group waits for the previous one.
  private var last: Group?

  init(_ table: any ReplicaTable) {
    self.table = table
  }

  /// Claims sessions.
  ///
  /// - Parameter usualWorld: The world of sessions that are not stored yet; nil if they share none.
  /// - Returns: The result for each key, and for other keys that were claimed together with them.
  /// - Throws: An error if the database cannot be reached.
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

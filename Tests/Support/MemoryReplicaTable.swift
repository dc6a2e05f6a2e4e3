import Synchronization

@testable import Cluster
@testable import Sessions

/// The table of replicas in the memory of a test. Its clock stands still until the test moves it.
final class MemoryReplicaTable: ReplicaTable {
  /// The database does not answer.
  struct Unreachable: Error {}

  private struct State {
    var now = Duration.zero
    var ends: [Replica: Duration] = [:]
    var owners: [String: (replica: Replica, fence: Int)] = [:]
    var unreachableAddresses: Set<String> = []
    var claimCount = 0
    var isClosed = false
    var onLeave: (@Sendable (Replica) -> Void)?
  }

  private let state = Mutex(State())

  /// How many keys were claimed.
  var claimCount: Int { state.withLock { $0.claimCount } }

  /// Called when a replica has left.
  var onLeave: (@Sendable (Replica) -> Void)? {
    get { state.withLock { $0.onLeave } }
    set { state.withLock { $0.onLeave = newValue } }
  }

  /// Moves the clock.
  func advance(by duration: Duration) { state.withLock { $0.now += duration } }

  /// Cuts replicas with this address off, or no longer.
  func cutOff(_ address: String, _ isCutOff: Bool = true) {
    state.withLock {
      if isCutOff { $0.unreachableAddresses.insert(address) } else { $0.unreachableAddresses.remove(address) }
    }
  }

  /// Lets no new replica enter.
  func refuseNew() { state.withLock { $0.isClosed = true } }

  /// Ends the lease of the replica with this address, as if it had not renewed it.
  func endLease(ofAddress address: String) {
    state.withLock { state in
      for replica in state.ends.keys where replica.address == address { state.ends[replica] = .zero - .seconds(1) }
    }
  }

  /// The replica that owns a session.
  func owner(of key: String) -> Replica? { state.withLock { $0.owners[key]?.replica } }

  private static func check(_ replica: Replica, _ state: State) throws {
    if state.unreachableAddresses.contains(replica.address) { throw Unreachable() }
  }

  func enter(_ replica: Replica, lease: Duration) async throws {
    try state.withLock { state in
      try Self.check(replica, state)
      if state.isClosed { throw Unreachable() }
      state.ends[replica] = state.now + lease
    }
  }

  func renew(_ replica: Replica, lease: Duration) async throws -> [Replica]? {
    try state.withLock { state in
      try Self.check(replica, state)
      guard let end = state.ends[replica], end > state.now else { return nil }
      state.ends[replica] = state.now + lease
      return state.ends.filter { $0.value > state.now }.map(\.key)
    }
  }

  func claim(_ keys: [String], usualWorld: String?, for replica: Replica) async throws -> [SessionClaim] {
    try state.withLock { state in
      try Self.check(replica, state)
      state.claimCount += keys.count
      guard let end = state.ends[replica], end > state.now else { return keys.map { _ in .leaseEnded } }
      return keys.map { key in
        // It knows of no stored sessions: all are new.
        if let usualWorld, !SessionFence.isOfWorld(key) {
          let world = SessionFence.key(ofWorld: usualWorld)
          if let owner = state.owners[world]?.replica, owner != replica,
            state.ends[owner].map({ $0 > state.now }) == true
          {
            return .others(owner)
          }
          state.owners[world] = (
            replica, (state.owners[world]?.fence ?? 0) + (state.owners[world]?.replica == replica ? 0 : 1)
          )
        }
        if let owner = state.owners[key], owner.replica != replica {
          if let end = state.ends[owner.replica], end > state.now { return .others(owner.replica) }
          state.owners[key] = (replica, owner.fence + 1)
        } else if state.owners[key] == nil {
          state.owners[key] = (replica, 1)
        }
        return .mine(
          SessionFence(
            key: key, replicaID: replica.id, number: state.owners[key]?.fence ?? 0,
            claimedAt: Int(state.now / .microseconds(1))))
      }
    }
  }

  func key(ofID id: String) async throws -> String? {
    state.withLock { $0.owners.keys.first { $0.hasPrefix(id) } }
  }

  func release(_ keys: [String], of replica: Replica) async throws {
    try state.withLock { state in
      try Self.check(replica, state)
      for key in keys where state.owners[key]?.replica == replica { state.owners[key] = nil }
    }
  }

  func close() {}

  func leave(_ replica: Replica) async throws {
    try state.withLock { state in
      try Self.check(replica, state)
      state.ends[replica] = nil
      state.owners = state.owners.filter { $0.value.replica != replica }
    }
    onLeave?(replica)
  }
}

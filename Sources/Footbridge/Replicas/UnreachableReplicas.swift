import Sessions

/// The replicas that could not be connected to a moment ago. After a replica has ended, thousands of requests may wait for its sessions: one
/// of them at a time tries whether it is back. Times are in nanoseconds.
struct UnreachableReplicas: Sendable {
  /// How long after an attempt the next one may begin.
  static let pause = 250_000_000

  /// When each may be tried again.
  private var nextTries: [Replica: Int] = [:]

  /// Whether a request may be sent to a replica now. If the replica was unreachable, this request tries it for all.
  mutating func mayTry(_ replica: Replica, at now: Int) -> Bool {
    guard let next = nextTries[replica] else { return true }
    if now < next { return false }
    nextTries[replica] = now + Self.pause
    return true
  }

  /// Nobody has accepted a connection.
  mutating func failed(_ replica: Replica, at now: Int) {
    nextTries[replica] = now + Self.pause
  }

  /// The replica has answered, or has ended for good.
  mutating func forget(_ replica: Replica) {
    nextTries[replica] = nil
  }
}

import Sessions

/// The replicas that were unreachable a moment ago. After a replica has ended, thousands of requests may wait for its sessions. Only one of
/// them at a time tries to reach it again. Times are in nanoseconds.
struct UnreachableReplicas: Sendable {
  /// The pause between two attempts.
  static let pause = 250_000_000

  /// The earliest time of the next attempt.
  private var nextTries: [Replica: Int] = [:]

  /// Whether a request may be sent to a replica now. If the replica was unreachable, this request tries it for all.
  mutating func mayTry(_ replica: Replica, at now: Int) -> Bool {
    guard let next = nextTries[replica] else { return true }
    if now < next { return false }
    nextTries[replica] = now + Self.pause
    return true
  }

  /// A connection to the replica has failed.
  mutating func failed(_ replica: Replica, at now: Int) {
    nextTries[replica] = now + Self.pause
  }

  /// The replica has answered, or has ended for good.
  mutating func forget(_ replica: Replica) {
    nextTries[replica] = nil
  }
}

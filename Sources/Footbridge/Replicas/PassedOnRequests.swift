import BridgeRuntime
import Sessions

/// What this replica has passed on and is not over: requests, and tunnels of WebSockets. They end with the replica that they go to, which
/// may be stopped or cut off without closing its connections.
@BridgeActor
final class PassedOnRequests {
  private var ends: [String: [Int: () -> Void]] = [:]
  private var lastNumber = 0

  /// How many there are.
  var count: Int { ends.values.reduce(0) { $0 + $1.count } }

  /// Adds one.
  ///
  /// - Parameter end: Ends it.
  /// - Returns: Call this when it is over.
  func add(to replica: Replica, _ end: @escaping () -> Void) -> () -> Void {
    lastNumber += 1
    let number = lastNumber
    ends[replica.id, default: [:]][number] = end
    return { [weak self] in
      self?.ends[replica.id]?[number] = nil
      if self?.ends[replica.id]?.isEmpty == true { self?.ends[replica.id] = nil }
    }
  }

  /// A replica has ended, and everything that goes to it.
  func end(with replica: Replica) {
    for end in ends.removeValue(forKey: replica.id)?.values ?? [:].values { end() }
  }
}

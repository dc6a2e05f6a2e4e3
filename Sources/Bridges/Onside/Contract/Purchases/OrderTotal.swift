import BridgeRuntime

/// How many orders the sessions of a server hold in memory. Each session may have as many as are free, and a few in any case.
///
/// An order of a world counts for each of its sessions.
@BridgeActor
package final class OrderTotal {
  private let limit: Int
  private let share: Int
  private var count = 0

  /// - Parameters:
  ///   - limit: The maximum of all sessions together.
  ///   - share: How many a session may have beyond it.
  package init(limit: Int = 200_000, share: Int = 100) {
    self.limit = limit
    self.share = share
  }

  /// A session has more orders than before, or fewer.
  func change(by difference: Int) { count += difference }

  /// The limit that a session with so many orders has reached, in words; nil while it may have more.
  func reachedLimit(ofSessionWith orders: Int) -> String? {
    count >= limit && orders >= share ? "\(limit) orders of all sessions" : nil
  }
}

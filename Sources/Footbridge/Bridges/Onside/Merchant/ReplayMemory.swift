import BridgeRuntime

/// Remembers the `jti` of each used token until the token ends.
struct ReplayMemory {
  /// The verdict about a token.
  enum Verdict: Hashable {
    /// Its id is new, and remembered from now on.
    case new
    /// Its id was used before.
    case replayed
    /// The memory is full, so that no token can be accepted for the moment.
    case full
  }

  private let capacity: Int
  private var endByID: [String: BridgeInstant] = [:]
  private var nextSweep: BridgeInstant?

  /// How often ended tokens are forgotten: all at once, so that not every token pays for it.
  private static let sweepInterval = Duration.seconds(1)

  /// Creates a memory of at most `capacity` ids.
  init(capacity: Int = 100_000) {
    self.capacity = capacity
  }

  /// How many ids are remembered.
  var count: Int { endByID.count }

  /// Remembers the id of a token that ends at `end`, and says whether it was new.
  mutating func use(_ id: String, until end: BridgeInstant, now: BridgeInstant) -> Verdict {
    sweep(now)
    if let end = endByID[id], now < end { return .replayed }
    guard endByID.count < capacity || endByID[id] != nil else { return .full }
    endByID[id] = end
    return .new
  }

  private mutating func sweep(_ now: BridgeInstant) {
    if let nextSweep, now < nextSweep { return }
    endByID = endByID.filter { now < $0.value }
    nextSweep = now.advanced(by: Self.sweepInterval)
  }
}

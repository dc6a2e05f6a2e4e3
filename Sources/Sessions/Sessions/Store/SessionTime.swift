import BridgeRuntime

/// The time of a session's clock, relative to the server's.
package enum SessionTime: Sendable, Hashable, Codable {
  /// A number of milliseconds ahead of the server's clock; behind it if negative.
  case running(ahead: Double)
  /// Frozen, at a number of milliseconds since the Unix epoch.
  case frozen(at: Double)

  /// The server's own time.
  static let servers = SessionTime.running(ahead: 0)

  /// Whether the clock is frozen.
  package var isFrozen: Bool {
    if case .frozen = self { true } else { false }
  }

  /// The clock's time when the server's clock shows `server`.
  func now(_ server: BridgeInstant) -> BridgeInstant {
    switch self {
    case .running(let ahead): BridgeInstant(millisecondsSinceEpoch: server.millisecondsSinceEpoch + ahead)
    case .frozen(let time): BridgeInstant(millisecondsSinceEpoch: time)
    }
  }

  /// Freezes the clock, or lets it continue from its current time.
  mutating func setFrozen(_ isFrozen: Bool, _ server: BridgeInstant) {
    let now = now(server).millisecondsSinceEpoch
    self = isFrozen ? .frozen(at: now) : .running(ahead: now - server.millisecondsSinceEpoch)
  }

  /// Sets the clock to `now`. It stays frozen or running.
  mutating func set(_ now: BridgeInstant, _ server: BridgeInstant) {
    switch self {
    case .running: self = .running(ahead: now.millisecondsSinceEpoch - server.millisecondsSinceEpoch)
    case .frozen: self = .frozen(at: now.millisecondsSinceEpoch)
    }
  }
}

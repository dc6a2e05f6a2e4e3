import BridgeRuntime

/// What a session's clock shows, given what the server's shows.
package enum SessionTime: Sendable, Hashable, Codable {
  /// So many milliseconds ahead of the server's clock; behind it, when negative.
  case running(ahead: Double)
  /// It stands still, at so many milliseconds since the Unix epoch.
  case frozen(at: Double)

  /// The server's own time.
  static let servers = SessionTime.running(ahead: 0)

  /// Whether the clock stands still.
  package var isFrozen: Bool {
    if case .frozen = self { true } else { false }
  }

  /// What the clock shows when the server's shows `server`.
  func now(_ server: BridgeInstant) -> BridgeInstant {
    switch self {
    case .running(let ahead): BridgeInstant(millisecondsSinceEpoch: server.millisecondsSinceEpoch + ahead)
    case .frozen(let time): BridgeInstant(millisecondsSinceEpoch: time)
    }
  }

  /// Stops the clock, or has it go on from where it stands.
  mutating func setFrozen(_ isFrozen: Bool, _ server: BridgeInstant) {
    let now = now(server).millisecondsSinceEpoch
    self = isFrozen ? .frozen(at: now) : .running(ahead: now - server.millisecondsSinceEpoch)
  }

  /// Puts the clock to `now`; whether it runs stays.
  mutating func set(_ now: BridgeInstant, _ server: BridgeInstant) {
    switch self {
    case .running: self = .running(ahead: now.millisecondsSinceEpoch - server.millisecondsSinceEpoch)
    case .frozen: self = .frozen(at: now.millisecondsSinceEpoch)
    }
  }
}

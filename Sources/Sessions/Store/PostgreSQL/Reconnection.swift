import BridgeRuntime

/// When to connect to a database again. Pure: times come in as nanoseconds of a monotonic clock.
struct Reconnection {
  /// How long those wait who need the connection, counted from its loss. After that they fail at once.
  static let patience: Int = 5_000_000_000
  private static let firstPause: Int = 50_000_000
  private static let longestPause: Int = 2_000_000_000

  /// What to do now.
  enum Step: Equatable {
    /// Connect.
    case connect
    /// Wait for this many nanoseconds, then ask again.
    case wait(Int)
    /// Fail.
    case giveUp
  }

  /// Since when there is no connection, how long the next pause is, and when it ends.
  private var loss: (time: Int, pause: Int, end: Int)?

  /// The next step without a connection. `isPatient` never gives up.
  func step(at now: Int, isPatient: Bool) -> Step {
    guard let loss, now < loss.end else { return .connect }
    if isPatient || now < loss.time + Self.patience { return .wait(loss.end - now) }
    return .giveUp
  }

  /// The connection is gone, or could not be made.
  mutating func failed(at now: Int) {
    let pause = loss.map { min($0.pause * 2, Self.longestPause) } ?? Self.firstPause
    loss = (loss?.time ?? now, pause, now + pause)
  }

  /// There is a connection.
  mutating func succeeded() { loss = nil }
}

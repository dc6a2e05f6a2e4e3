import BridgeRuntime

/// Decides when to reconnect to a database. A pure state machine: times are nanoseconds of a monotonic clock.
struct Reconnection {
  /// The time after the loss of the connection in which callers wait for a new one. After that, calls fail at once.
  static let timeout: Int = 5_000_000_000
  private static let firstPause: Int = 50_000_000
  private static let longestPause: Int = 2_000_000_000

  /// The next thing to do.
  enum Step: Equatable {
    /// Try to connect.
    case connect
    /// Wait for this many nanoseconds, then ask again.
    case wait(Int)
    /// Let the call fail.
    case giveUp
  }

  /// The time of the loss, the length of the current pause between two attempts, and its end; nil while there is a connection.
  private var loss: (time: Int, pause: Int, end: Int)?

  /// Returns the next step for a caller that has no connection. With `waitsWithoutLimit`, this is never ``Step/giveUp``.
  func step(at now: Int, waitsWithoutLimit: Bool) -> Step {
    guard let loss, now < loss.end else { return .connect }
    if waitsWithoutLimit || now < loss.time + Self.timeout { return .wait(loss.end - now) }
    return .giveUp
  }

  /// Notes that the connection was lost, or that an attempt to connect has failed.
  mutating func failed(at now: Int) {
    let pause = loss.map { min($0.pause * 2, Self.longestPause) } ?? Self.firstPause
    loss = (loss?.time ?? now, pause, now + pause)
  }

  /// Notes that there is a connection.
  mutating func succeeded() { loss = nil }
}

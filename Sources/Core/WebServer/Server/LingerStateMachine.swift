/// Decides when to close a connection after its last response, as a pure state machine.
///
/// If a connection closed while its peer may still send, the system would answer the peer's bytes with a reset, and the
/// peer would lose what it has not read of the response (RFC 9112, section 9.6). So the sending side ends first, and the
/// peer's bytes are read and discarded until the peer ends its side, or has sent nothing for a while.
struct LingerStateMachine: Sendable {
  /// What the owner must do next.
  enum Action: Sendable, Hashable {
    /// Set the timer to this time.
    case wait(Duration)
    /// Close the connection.
    case close
    /// Close the connection: the peer does not read its response.
    case cut
  }

  /// How long the peer may send nothing, once it has the whole response.
  static let pause = Duration.seconds(2)
  /// How many pauses the peer may take to end its side, once it has the whole response.
  private static let pauseLimit = 5

  /// How long the peer may take to read a part of the response.
  private let transferTimeout: Duration
  private var peerHasEnded: Bool
  /// Whether bytes have arrived since the last pause.
  private var hasReceived = false
  private var pauseCount = 0
  /// How many bytes of the response the peer's system did not have at the last pause.
  private var undelivered = Int.max
  /// For how long that number has not changed.
  private var standstill = Duration.zero

  /// Creates the machine.
  init(transferTimeout: Duration, peerHasEnded: Bool) {
    self.transferTimeout = transferTimeout
    self.peerHasEnded = peerHasEnded
  }

  /// The sending side ends, with this many bytes queued.
  mutating func begin(queued: Int) -> Action { next(queued) }

  /// Bytes have arrived, and were discarded.
  mutating func received() { hasReceived = true }

  /// Some bytes were sent; this many are still queued.
  mutating func sent(queued: Int) -> Action { next(queued) }

  /// The peer sends nothing more.
  mutating func peerEnded(queued: Int) -> Action {
    peerHasEnded = true
    return next(queued)
  }

  /// The timer has fired.
  ///
  /// - Parameters:
  ///   - queued: How many bytes are queued.
  ///   - undelivered: How many bytes the peer's system does not have, with those that are queued.
  mutating func timerFired(queued: Int, undelivered: Int) -> Action {
    if queued > 0 { return .cut }
    if undelivered > 0 {
      standstill = undelivered < self.undelivered ? .zero : standstill + Self.pause
      self.undelivered = undelivered
      return standstill < transferTimeout ? .wait(Self.pause) : .cut
    }
    pauseCount += 1
    defer { hasReceived = false }
    return hasReceived && pauseCount < Self.pauseLimit ? .wait(Self.pause) : .close
  }

  private func next(_ queued: Int) -> Action {
    if queued > 0 { return .wait(transferTimeout) }
    return peerHasEnded ? .close : .wait(Self.pause)
  }
}

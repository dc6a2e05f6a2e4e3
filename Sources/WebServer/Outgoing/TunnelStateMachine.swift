/// A tunnel between two peers, as a state machine without streams: which peer may send, which must wait, and when the tunnel ends.
///
/// Bytes from one peer go to the other, at the receiver's speed. When one side ends sending, the other side learns of it and may still send,
/// unless the first is known to close completely. When one side has gone, queued bytes are still sent to the other.
struct TunnelStateMachine: Sendable {
  /// One of the two peers.
  enum Side: Sendable, Hashable {
    case first, second

    var other: Side { self == .first ? .second : .first }
  }

  /// What the owner must do next.
  enum Action: Sendable, Hashable {
    case setReading(Side, Bool)
    /// Send what is queued, then end the sending side.
    case finishWriting(Side)
    case close(Side)
    /// Close it unless the peer does so within ``TunnelStateMachine/closingTime``.
    case closeLater(Side)
    /// Close both unless bytes flow within the idle time.
    case awaitBytes
  }

  private enum State {
    case open
    /// The peer sends nothing more.
    case ended
    case closed
  }

  /// How many bytes may wait for a peer before the other one is not read any longer.
  static let highWater = 256 << 10
  /// How few bytes must wait for a peer before the other one is read again.
  static let lowWater = 64 << 10
  /// How long a peer may take to close after the other one has gone.
  static let closingTime = Duration.seconds(10)

  private var first = State.open
  private var second = State.open
  private var isPaused: Set<Side> = []
  private let secondEndsAtOnce: Bool

  /// Creates the machine of a new tunnel. With `secondEndsAtOnce`, the second peer has gone when it ends sending.
  init(secondEndsAtOnce: Bool = false) {
    self.secondEndsAtOnce = secondEndsAtOnce
  }

  /// Whether both streams are closed.
  var isOver: Bool { self[.first] == .closed && self[.second] == .closed }

  /// Whether neither stream is closed.
  var isOpen: Bool { self[.first] != .closed && self[.second] != .closed }

  /// A peer has sent bytes, and `queued` bytes now wait for the other.
  mutating func received(from side: Side, queued: Int) -> [Action] {
    guard queued > Self.highWater, isPaused.insert(side).inserted else { return waits }
    return [.setReading(side, false)] + waits
  }

  /// A peer has taken bytes, and `queued` bytes still wait for it.
  mutating func sent(to side: Side, queued: Int) -> [Action] {
    guard queued < Self.lowWater, self[side.other] == .open, isPaused.remove(side.other) != nil else {
      return waits
    }
    return [.setReading(side.other, true)] + waits
  }

  /// A peer sends nothing more.
  mutating func ended(_ side: Side) -> [Action] {
    guard self[side] == .open else { return [] }
    self[side] = .ended
    if self[side.other] == .closed || (side == .second && secondEndsAtOnce) { return [.close(side)] }
    guard self[side.other] == .ended else { return [.finishWriting(side.other)] }
    return [.finishWriting(side.other), .close(side), .close(side.other)]
  }

  /// A stream is closed.
  mutating func closed(_ side: Side) -> [Action] {
    guard self[side] != .closed else { return [] }
    self[side] = .closed
    guard self[side.other] != .closed else { return [] }
    return [.finishWriting(side.other), .closeLater(side.other)]
  }

  /// A timer of a stream has fired: nothing has happened for too long.
  mutating func timedOut() -> [Action] {
    [Side.first, .second].filter { self[$0] != .closed }.map { .close($0) }
  }

  /// A tunnel with one stream left waits for its end only.
  private var waits: [Action] { isOpen ? [.awaitBytes] : [] }

  private subscript(side: Side) -> State {
    get { side == .first ? first : second }
    set { if side == .first { first = newValue } else { second = newValue } }
  }
}

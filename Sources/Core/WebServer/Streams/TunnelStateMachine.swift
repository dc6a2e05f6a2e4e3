/// A tunnel between two peers, as a pure state machine: it decides which peer is read, and when the tunnel ends.
///
/// A peer is read only as fast as the other one reads. When one side ends sending, the other side is told so and may
/// still send, unless the first is known to close completely. When one side has closed, queued bytes are still sent to
/// the other.
struct TunnelStateMachine: Sendable {
  /// One of the two peers.
  enum Side: Sendable, Hashable {
    case first, second

    var other: Side { self == .first ? .second : .first }
  }

  /// What the owner must do next.
  enum Action: Sendable, Hashable {
    /// Read from this stream, or stop reading.
    case setReading(Side, Bool)
    /// Send what is queued, and then end the sending side of the stream.
    case finishWriting(Side)
    /// Close the stream.
    case close(Side)
    /// Close the stream after ``TunnelStateMachine/closingTime``, unless the peer closes it before.
    case closeLater(Side)
    /// Start the idle timer again.
    case awaitBytes
  }

  private enum State {
    case open
    /// The peer sends nothing more.
    case ended
    case closed
  }

  /// Above this many bytes queued for a peer, the other one is no longer read.
  static let highWater = 256 << 10
  /// Below this many bytes queued for a peer, the other one is read again.
  static let lowWater = 64 << 10
  /// How long a peer may take to close after the other one has closed.
  static let closingTime = Duration.seconds(10)

  private var first = State.open
  private var second = State.open
  /// The peers that are not read.
  private var isPaused: Set<Side> = []
  private let secondEndsAtOnce: Bool

  /// Creates the machine of a new tunnel. With `secondEndsAtOnce`, the second peer closes completely when it ends
  /// sending.
  init(secondEndsAtOnce: Bool = false) {
    self.secondEndsAtOnce = secondEndsAtOnce
  }

  /// Whether both streams are closed.
  var isOver: Bool { self[.first] == .closed && self[.second] == .closed }

  /// Whether neither stream is closed.
  var isOpen: Bool { self[.first] != .closed && self[.second] != .closed }

  /// A peer has sent bytes, and `queued` bytes are now queued for the other.
  mutating func received(from side: Side, queued: Int) -> [Action] {
    guard queued > Self.highWater, isPaused.insert(side).inserted else { return waits }
    return [.setReading(side, false)] + waits
  }

  /// Bytes were sent to a peer, and `queued` bytes are still queued for it.
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

  /// The timer of a stream has fired. Closes what is open.
  mutating func timedOut() -> [Action] {
    [Side.first, .second].filter { self[$0] != .closed }.map { .close($0) }
  }

  /// The idle timer runs only while both streams are open.
  private var waits: [Action] { isOpen ? [.awaitBytes] : [] }

  private subscript(side: Side) -> State {
    get { side == .first ? first : second }
    set { if side == .first { first = newValue } else { second = newValue } }
  }
}

/// How many requests a connection of HTTP/2 can take at the moment, on the client's side, as a pure state machine.
///
/// A new connection takes one request until the server's settings set its limit. A connection that has been silent gets a
/// ping first: it may be broken without notice, and a request that cannot be repeated would be lost.
struct HTTP2ClientStateMachine: Sendable {
  private enum State {
    /// The server's settings have not arrived.
    case awaitingSettings
    case open
    /// A ping has not been answered.
    case checking
    /// The connection takes no further requests.
    case ending
  }

  /// The silence after which a connection gets a ping before its next request.
  private let silence: Duration
  private var state = State.awaitingSettings
  private var streamLimit = HTTP2Session.streamLimit
  private var streamCount = 0
  private var lastHeard: ContinuousClock.Instant

  /// Creates the machine of a connection that has just been made.
  init(at now: ContinuousClock.Instant, silence: Duration) {
    self.silence = silence
    lastHeard = now
  }

  /// How many further requests the connection takes now.
  var room: Int {
    switch state {
    case .awaitingSettings: max(0, 1 - streamCount)
    case .open: max(0, streamLimit - streamCount)
    case .checking, .ending: 0
    }
  }

  /// Whether the connection may soon take more requests, without the end of another one.
  var isPending: Bool {
    switch state {
    case .awaitingSettings, .checking: true
    case .open, .ending: false
    }
  }

  /// Whether the connection takes no further requests.
  var isEnding: Bool {
    if case .ending = state { true } else { false }
  }

  /// A request has begun.
  mutating func began() { streamCount += 1 }

  /// A request has ended.
  mutating func ended() { streamCount -= 1 }

  /// Bytes have arrived.
  mutating func heard(at now: ContinuousClock.Instant) { lastHeard = now }

  /// The server has set its limit of open requests. The limit of Footbridge's own server applies, too.
  mutating func receivedSettings(streamLimit: Int) {
    self.streamLimit = min(streamLimit, HTTP2Session.streamLimit)
    if case .awaitingSettings = state { state = .open }
  }

  /// A request is about to begin. Returns whether to send a ping first.
  mutating func needsCheck(at now: ContinuousClock.Instant) -> Bool {
    guard case .open = state, lastHeard + silence < now else { return false }
    state = .checking
    return true
  }

  /// The answer to the ping has arrived.
  mutating func receivedPong() {
    if case .checking = state { state = .open }
  }

  /// The answer to the ping, or the settings, did not arrive in time. Returns whether one of them was awaited.
  mutating func timedOut() -> Bool {
    guard isPending else { return false }
    state = .ending
    return true
  }

  /// One of the sides ends the connection: it takes no further requests.
  mutating func receivedGoAway() { state = .ending }
}

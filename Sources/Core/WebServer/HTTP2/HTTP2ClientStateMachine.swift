/// Decides how many requests an HTTP/2 connection can take now, on the client's side. A pure state machine.
///
/// A new connection takes one request until the server's settings arrive, which limit the number of streams. A
/// connection that has been silent gets a ping before the next request: it may be broken without notice, and a request
/// that cannot be repeated would be lost.
struct HTTP2ClientStateMachine: Sendable {
  private enum State {
    /// The server's settings have not arrived.
    case awaitingSettings
    case open
    /// A ping was sent and is not answered yet.
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

  /// Creates the machine of a new connection.
  init(at now: ContinuousClock.Instant, silence: Duration) {
    self.silence = silence
    lastHeard = now
  }

  /// How many more requests the connection takes now.
  var room: Int {
    switch state {
    case .awaitingSettings: max(0, 1 - streamCount)
    case .open: max(0, streamLimit - streamCount)
    case .checking, .ending: 0
    }
  }

  /// Whether the connection may soon take more requests, even if no open one ends.
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

  /// The server's settings have arrived, with the number of streams that it allows. The machine allows at most
  /// ``HTTP2Session/streamLimit``.
  mutating func receivedSettings(streamLimit: Int) {
    self.streamLimit = min(streamLimit, HTTP2Session.streamLimit)
    if case .awaitingSettings = state { state = .open }
  }

  /// A request is about to begin. Returns whether to send a ping first; the connection then takes none until the
  /// answer.
  mutating func needsCheck(at now: ContinuousClock.Instant) -> Bool {
    guard case .open = state, lastHeard + silence < now else { return false }
    state = .checking
    return true
  }

  /// The answer to the ping has arrived.
  mutating func receivedPong() {
    if case .checking = state { state = .open }
  }

  /// The settings, or the answer to the ping, did not arrive in time. Returns false if neither was awaited.
  mutating func timedOut() -> Bool {
    guard isPending else { return false }
    state = .ending
    return true
  }

  /// One side has begun to end the connection: it takes no further requests.
  mutating func beganEnding() { state = .ending }
}

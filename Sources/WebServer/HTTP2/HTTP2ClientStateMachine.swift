/// How many requests a connection of HTTP/2 can take at the moment, on the client's side, as a pure state machine.
///
/// A new connection takes one request before the server's settings say how many it takes at a time. One that has been silent is asked for a
/// sign of life first: it may have broken without a word, and a request that is not to be repeated would be lost with it.
struct HTTP2ClientStateMachine: Sendable {
  private enum State {
    /// The server's settings have not arrived.
    case awaitingSettings
    case open
    /// A ping has not been answered.
    case checking
    /// It takes no further requests.
    case ending
  }

  /// How long a connection may have been silent before it must give a sign of life.
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

  /// The server has said how many requests it takes at a time. We have at most as many open as we would take ourselves.
  mutating func receivedSettings(streamLimit: Int) {
    self.streamLimit = min(streamLimit, HTTP2Session.streamLimit)
    if case .awaitingSettings = state { state = .open }
  }

  /// A request is about to come. Returns whether to ask for a sign of life first.
  mutating func needsCheck(at now: ContinuousClock.Instant) -> Bool {
    guard case .open = state, lastHeard + silence < now else { return false }
    state = .checking
    return true
  }

  /// The sign of life has come.
  mutating func receivedPong() {
    if case .checking = state { state = .open }
  }

  /// The sign of life, or the settings, have not come in time. Returns whether that was awaited.
  mutating func timedOut() -> Bool {
    guard isPending else { return false }
    state = .ending
    return true
  }

  /// The connection takes no further requests, by the wish of either side.
  mutating func receivedGoAway() { state = .ending }
}

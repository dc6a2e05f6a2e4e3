/// How long a WebSocket's peer has been silent, as a state machine that is moved on at regular ticks: after so many of them it is sent a
/// ping (RFC 6455, section 5.5.2), after more it counts as gone.
///
/// libwebsockets could do this. It keeps a timer for each connection in one sorted list, which is gone through from its beginning for each
/// new one.
struct SilenceStateMachine {
  /// What is to be done at a tick.
  enum Action {
    case none
    case ping
    /// The peer has not answered.
    case giveUp
  }

  /// After how many ticks without a word the peer is pinged, and given up.
  private let pingTicks: Int
  private let giveUpTicks: Int
  private var silentTicks = 0

  /// How many ticks there are between a word of the peer and the ping.
  private static let ticksBeforePing = 5

  /// How long a tick is.
  static func tick(_ limits: WebServerLimits) -> Duration { limits.webSocketPingInterval / ticksBeforePing }

  init(_ limits: WebServerLimits) {
    pingTicks = Self.ticksBeforePing
    let ticks = limits.webSocketIdleTimeout / Self.tick(limits)
    giveUpTicks = max(Int(ticks.rounded(.up)), pingTicks + 1)
  }

  /// The peer has sent something.
  mutating func heard() {
    silentTicks = 0
  }

  /// A tick has passed.
  mutating func tick() -> Action {
    silentTicks += 1
    if silentTicks >= giveUpTicks { return .giveUp }
    return silentTicks % pingTicks == 0 ? .ping : .none
  }
}

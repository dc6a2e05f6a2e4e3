/// Measures the silence of a WebSocket's peer in regular ticks: after some of them the peer gets a ping (RFC 6455,
/// section 5.5.2), and after more it counts as gone. A state machine.
///
/// libwebsockets could do this, but it keeps the timers of all connections in one sorted list, which it searches from
/// the beginning for each new timer.
struct SilenceStateMachine {
  /// What to do at a tick.
  enum Action {
    case none
    case ping
    /// The peer has not answered.
    case giveUp
  }

  /// After how many silent ticks the peer gets a ping, and counts as gone.
  private let pingTicks: Int
  private let giveUpTicks: Int
  private var silentTicks = 0

  /// How many silent ticks there are before a ping.
  private static let ticksBeforePing = 5

  /// The length of a tick.
  static func tick(_ limits: HTTPServerLimits) -> Duration { limits.webSocketPingInterval / ticksBeforePing }

  init(_ limits: HTTPServerLimits) {
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

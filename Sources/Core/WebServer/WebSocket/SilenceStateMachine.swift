/// Measures the silence of a WebSocket's peer in regular ticks. After some silent ticks, the peer gets a ping (RFC
/// 6455, section 5.5.2); after more of them, it counts as gone. A pure state machine.
///
/// libwebsockets could do this, but it keeps the timers of all connections in one sorted list, which it searches from
/// the beginning for each new timer.
struct SilenceStateMachine {
  /// What to do at a tick.
  enum Action {
    case none
    case ping
    /// The peer has answered no ping in time.
    case giveUp
  }

  /// The peer gets a ping after every so many silent ticks.
  private let pingTicks: Int
  /// After how many silent ticks the peer counts as gone.
  private let giveUpTicks: Int
  private var silentTicks = 0

  /// How many ticks ``HTTPServerLimits/webSocketPingInterval`` has.
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

  /// A close frame waits to be sent. The peer has at least one ping interval to take it, however late the server writes.
  mutating func closes() {
    silentTicks = min(silentTicks, giveUpTicks - pingTicks)
  }

  /// A tick has passed.
  mutating func tick() -> Action {
    silentTicks += 1
    if silentTicks >= giveUpTicks { return .giveUp }
    return silentTicks % pingTicks == 0 ? .ping : .none
  }
}

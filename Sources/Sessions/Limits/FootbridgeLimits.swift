public import WebServer

/// The bounds of a server (`limits` in the file). The defaults are far above what pages and tests need. docs/limits.md says what happens at
/// each bound.
public struct FootbridgeLimits: Sendable {
  /// The bounds of connections, requests and WebSockets.
  public var web = WebServerLimits()
  /// How many sessions without a page may run. Beyond that, the session that was idle for longest ends. Its stored state stays, and the
  /// session is launched again when someone asks for it.
  public var idleSessions = 20_000
  /// How long a session without a page runs before it ends in the same way.
  public var sessionIdleTimeout: Duration = .seconds(7 * 86_400)
  /// How long the store keeps a session after its last use. Then it deletes the session and its orders.
  public var storedSessionTimeout: Duration = .seconds(30 * 86_400)
  /// How many pages of one session may be open at once. The WebSocket of another one gets 429.
  public var pagesPerSession = 256
  /// How many calls of one page may wait for an answer. Further calls get an error.
  public var openCalls = 10_000
  /// How many bytes these calls may have in all.
  public var openCallBytes = 64 << 20
  /// How many bytes a message of `window.onside`, of Today, or of Footbridge itself may have. Messages with images may be larger.
  public var callBytes = 256 << 10
  /// How many members and elements the JSON of a page's message may have in all.
  public var messageValues = 10_000
  /// How many bytes the journals of all sessions may have in all, roughly. Beyond that, the sessions that were idle for longest lose their
  /// oldest entries.
  public var journalBytes = 256 << 20

  /// The default bounds.
  public init() {}
}

public import WebServer

/// The limits of a server (`limits` in the file). The defaults are far above what pages and tests need. docs/limits.md says what happens at
/// each limit.
public struct FootbridgeLimits: Sendable {
  /// The limits of connections, requests and WebSockets.
  public var web = HTTPServerLimits()
  /// The maximum number of running sessions without a page. Beyond that, the session that was idle for longest ends. Its stored state
  /// stays, and the session is launched again when it is needed.
  public var idleSessions = 20_000
  /// How long a session without a page runs before it ends in the same way.
  public var sessionIdleTimeout: Duration = .seconds(7 * 86_400)
  /// How long the store keeps a session after its last use. Then it deletes the session and its orders.
  public var storedSessionTimeout: Duration = .seconds(30 * 86_400)
  /// The maximum number of open pages of one session. The WebSocket of another page gets 429.
  public var pagesPerSession = 256
  /// The maximum number of calls of one page that wait for an answer. Further calls get an error.
  public var openCalls = 10_000
  /// The maximum total size of the calls of one session that wait for an answer, in bytes. Those of all sessions have at most `web.totalBytes`,
  /// and a session may hold as much of it as is free.
  public var openCallBytes = 64 << 20
  /// The maximum size of a message of `window.onside`, of Today, or of Footbridge itself in bytes. Answers to sheets, and messages of bridges
  /// that hold data, may be larger.
  public var callBytes = 256 << 10
  /// The maximum number of members and elements in the JSON of a page's message.
  public var messageValues = 10_000
  /// The approximate maximum size of the journals of all sessions, in bytes. Beyond that, the sessions that were idle for longest lose
  /// their oldest entries.
  public var journalBytes = 256 << 20
  /// How long a connection of HTTP/2 to an upstream may have been silent before it gets a ping ahead of the next request.
  public var upstreamSilence: Duration = .seconds(5)
  /// How long the answer to that ping may take. After that, requests go to another connection.
  public var upstreamPingTimeout: Duration = .seconds(2)

  /// The default limits.
  public init() {}
}

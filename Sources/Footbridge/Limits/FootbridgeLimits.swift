public import OnsideKit
public import WebServer

/// How much a server takes before it says no (`limits` in the file). The defaults are far above what pages and tests need; docs/limits.md
/// says what happens at each bound.
public struct FootbridgeLimits: Sendable {
  /// The bounds of connections, requests and WebSockets.
  public var web = WebServerLimits()
  /// How many sessions without a page may be running; those that were idle for longest end. What is kept of them stays, and they are
  /// launched again when they are asked for.
  public var idleSessions = 20_000
  /// How long a session may be without a page before it ends in the same way.
  public var sessionIdleTimeout: Duration = .seconds(7 * 86_400)
  /// How long what the store has of a session is kept after its last use. Then it is forgotten, with its orders.
  public var storedSessionTimeout: Duration = .seconds(30 * 86_400)
  /// How many pages of one session may be open at once; a further one's WebSocket is refused with 429.
  public var pagesPerSession = 256
  /// How many calls of one page may be without an answer; further ones are answered with an error.
  public var openCalls = 10_000
  /// How many bytes these calls may have together.
  public var openCallBytes = 64 << 20
  /// How many bytes a message of `window.onside` or of the Today bridge may have, and one of Footbridge's own that holds no image.
  public var callBytes = 256 << 10
  /// How many members and elements the JSON of a page's message may have in all.
  public var messageValues = 10_000
  /// How many bytes the journals of all sessions may hold together, about. The sessions that were idle for longest give up their oldest
  /// entries first.
  public var journalBytes = 256 << 20
  /// How much a session's pages may have the store keep.
  public var onside = OnsideLimits()

  /// The default bounds.
  public init() {}
}

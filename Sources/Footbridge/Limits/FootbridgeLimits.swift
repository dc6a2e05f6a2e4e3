public import WebServer

/// How much a server takes before it says no (`limits` in the file). The defaults are far above what pages and tests need; docs/limits.md
/// says what happens at each bound.
public struct FootbridgeLimits: Sendable {
  /// The bounds of connections, requests and WebSockets.
  public var web = WebServerLimits()

  /// The default bounds.
  public init() {}
}

public import HTTP1

/// The bounds of a server's connections. At a bound the peer gets a clear status or close code.
public struct WebServerLimits: Sendable {
  /// The bounds of request heads and chunked framing.
  public var http = HTTP1Limits()
  /// How many connections may be open at once. For a further one an idle one is closed or, where none is idle, it is answered 503. Seven
  /// eighths of the descriptors that the system gives a process bound it as well.
  public var connections = 20_000
  /// How long a connection may take from its first byte to the end of a request's head; then 408.
  public var headTimeout: Duration = .seconds(20)
  /// How long a connection may be idle between requests; then it is closed.
  public var keepAliveTimeout: Duration = .seconds(75)
  /// How long a peer may take to send or accept the next bytes of a body; then the connection is closed.
  public var transferTimeout: Duration = .seconds(60)
  /// The size of a WebSocket message, its fragments put together; a larger one is refused with close code 1009.
  public var webSocketMessageBytes = 16 << 20
  /// How many messages a second may come on one WebSocket; more are not read before the second is over, so that they wait at the peer.
  public var webSocketMessagesPerSecond = 50_000
  /// How many bytes may wait to be sent on one WebSocket. Above it the connection is closed with 1008; reading from it pauses at an
  /// eighth of that.
  public var webSocketQueueBytes = 64 << 20
  /// How many bytes all WebSockets may hold together: messages that have come in part, and messages that wait to be sent. Above it the one
  /// that holds the most is closed with 1008.
  public var webSocketBytes = 512 << 20
  /// How long a WebSocket may be silent before it is sent a ping.
  public var webSocketPingInterval: Duration = .seconds(25)
  /// How long a WebSocket may be silent, pings unanswered, before it is closed.
  public var webSocketIdleTimeout: Duration = .seconds(60)

  /// The default bounds.
  public init() {}
}

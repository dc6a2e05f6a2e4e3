public import HTTP1

/// The bounds of outgoing connections.
public struct HTTPClientLimits: Sendable {
  /// The bounds of response heads and chunked framing.
  public var http = HTTP1Limits()
  /// How long a server may take to accept a connection, to take the next bytes of a request, and, once it has the whole request, to send
  /// the head of its response. What follows the head may take as long as it likes: it may be a stream.
  public var responseTimeout: Duration = .seconds(30)
  /// How long a connection is kept for the next request.
  public var idleTimeout: Duration = .seconds(30)
  /// How many connections are kept for one origin.
  public var idleConnections = 32

  /// The default bounds.
  public init() {}
}

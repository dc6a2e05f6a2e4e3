public import HTTP1

/// The limits of outgoing connections.
public struct HTTPClientLimits: Sendable {
  /// The limits of response heads and chunked bodies.
  public var http = HTTP1Limits()
  /// How long a server may take to accept a connection, to take the next bytes of a request and, once it has the whole
  /// request, to send the head of its response. The body of the response may take any time, since it may be a stream.
  public var responseTimeout: Duration = .seconds(30)
  /// How long an idle connection is kept.
  public var idleTimeout: Duration = .seconds(30)
  /// The most idle connections for one origin.
  public var idleConnections = 32

  /// Creates the default limits.
  public init() {}
}

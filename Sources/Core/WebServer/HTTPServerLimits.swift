public import HTTP1

/// The limits of a server's connections. ``HTTPServerLimit`` says what happens to a peer that reaches one.
public struct HTTPServerLimits: Sendable {
  /// The limits of request heads and chunked bodies.
  public var http = HTTP1Limits()
  /// The maximum number of open connections, WebSockets included. For a further one, the server closes an idle one; if
  /// none is idle, the new one gets 503. The server never uses more than seven eighths of the process's descriptors.
  public var connections = 20_000
  /// How long a request's head may take to arrive, from its first byte. After that, the request gets 408. A new
  /// connection on which nothing arrives for this long is closed without an answer.
  public var headTimeout: Duration = .seconds(20)
  /// How long a connection may be idle between requests. After that, it is closed.
  public var keepAliveTimeout: Duration = .seconds(75)
  /// How long a peer may take to send the next bytes of a body, or to read some of a response. After that, a request
  /// that has no response yet gets 408; otherwise the connection is closed, or the HTTP/2 stream is reset.
  public var transferTimeout: Duration = .seconds(60)
  /// The largest WebSocket message, with all its fragments, in bytes. For a larger one, the WebSocket is closed with
  /// 1009.
  public var webSocketMessageBytes = 16 << 20
  /// The maximum number of messages that a WebSocket's peer may send in a second. Further ones are not read until the
  /// second has passed.
  public var webSocketMessagesPerSecond = 50_000
  /// How many bytes may be queued for sending on one WebSocket. Above this, it is closed with 1008. Above an eighth of
  /// this, the server stops reading from it until the queue is empty.
  public var webSocketQueueBytes = 64 << 20
  /// How many bytes all connections may hold together: incomplete messages of WebSockets, bodies of requests that
  /// nobody has read, and what waits to be sent. Above this, what holds the most ends: a WebSocket with 1008, a request
  /// without a response with 503, any other response by a cut.
  public var totalBytes = 512 << 20
  /// The maximum number of open tunnels to other servers (CONNECT). For a further one,
  /// ``HTTPExchange/tunnel(to:by:)`` throws.
  public var tunnels = 1_000
  /// How long a tunnel stays open when no bytes flow through it.
  public var tunnelIdleTimeout: Duration = .seconds(600)
  /// How long a WebSocket's peer may be silent before it gets a ping.
  public var webSocketPingInterval: Duration = .seconds(25)
  /// How long a WebSocket's peer may be silent, without even answering pings, before the WebSocket is closed with 1008.
  public var webSocketIdleTimeout: Duration = .seconds(60)
  /// How long the peer may take to answer the server's close frame, in whole seconds. After that, the connection is
  /// cut.
  public var webSocketCloseTimeout: Duration = .seconds(5)

  /// Creates the default limits.
  public init() {}
}

/// A limit of a server that a peer has reached. Each case says what happens then.
public enum HTTPServerLimit: Sendable, Hashable, CaseIterable {
  /// ``HTTPServerLimits/connections``: an idle connection is closed or, if there is none, the new one gets 503.
  case connections
  /// The process has no descriptors left: new connections get 503, and new TLS connections are closed without an
  /// answer.
  case descriptors
  /// ``HTTPServerLimits/http``: the request gets 413, 414 or 431.
  case requestBytes
  /// ``HTTPServerLimits/headTimeout``: the request gets 408.
  case slowHead
  /// ``HTTPServerLimits/transferTimeout``: a request whose body does not arrive gets 408, and a response that is not
  /// read is cut.
  case slowTransfer
  /// ``HTTPServerLimits/tunnels``: the CONNECT gets 503.
  case tunnels
  /// ``HTTPServerLimits/webSocketMessageBytes``: the WebSocket is closed with 1009.
  case messageBytes
  /// ``HTTPServerLimits/webSocketMessagesPerSecond``: the WebSocket is not read for the rest of the second.
  case messageRate
  /// ``HTTPServerLimits/webSocketIdleTimeout``: the WebSocket is closed with 1008.
  case silence
  /// ``HTTPServerLimits/webSocketQueueBytes``: the WebSocket is closed with 1008.
  case queueBytes
  /// ``HTTPServerLimits/totalBytes``: the connection that holds the most is closed.
  case totalBytes
  /// OpenSSL or nghttp2 has no memory for a connection: it is closed.
  case memory

  /// What happened, in one sentence.
  public var description: String {
    switch self {
    case .connections: "The limit of connections is reached; idle ones are closed, and then new ones are refused."
    case .descriptors: "The process has no file descriptors left (ulimit -n); new connections are refused."
    case .requestBytes: "A request is larger than the limit and was refused."
    case .slowHead: "A request's head did not arrive in time."
    case .slowTransfer: "A peer neither sent nor read for too long, and its connection was ended."
    case .tunnels: "The limit of tunnels to other servers is reached; new ones are refused."
    case .messageBytes: "A WebSocket message is larger than the limit; its connection was closed."
    case .messageRate: "A WebSocket sends more messages a second than the limit; it is read more slowly."
    case .silence: "A WebSocket's peer did not answer pings; its connection was closed."
    case .queueBytes: "A WebSocket's peer does not read its messages; its connection was closed."
    case .totalBytes: "All connections together hold more bytes than the limit; the one with the most was closed."
    case .memory: "There is no memory for a connection; it was closed."
    }
  }
}

/// A bound of a server that a peer has reached. What the peer gets is said at each.
public enum WebServerBound: Sendable, Hashable, CaseIterable {
  /// ``WebServerLimits/connections``: an idle connection makes room or, where none is, the new one is answered 503.
  case connections
  /// The system gives the process no more descriptors: new connections are answered 503, and closed without an answer where TLS is spoken.
  case descriptors
  /// ``WebServerLimits/http``: a request is answered 413, 414 or 431.
  case requestBytes
  /// ``WebServerLimits/headTimeout``: a request is answered 408.
  case slowHead
  /// ``WebServerLimits/transferTimeout``: a request whose body does not come is answered 408, a response that is not read is cut.
  case slowTransfer
  /// ``WebServerLimits/webSocketMessageBytes``: the WebSocket is closed with 1009.
  case messageBytes
  /// ``WebServerLimits/webSocketMessagesPerSecond``: the WebSocket is not read for the rest of the second.
  case messageRate
  /// ``WebServerLimits/webSocketIdleTimeout``: the WebSocket is closed with 1008.
  case silence
  /// ``WebServerLimits/webSocketQueueBytes``: the WebSocket is closed with 1008.
  case queueBytes
  /// ``WebServerLimits/webSocketBytes``: the WebSocket that holds the most is closed with 1008.
  case totalBytes

  /// What has happened, in one sentence for people.
  public var description: String {
    switch self {
    case .connections: "There are as many connections as there may be; idle ones make room, others are refused."
    case .descriptors: "The system gives no more descriptors (ulimit -n); new connections are refused."
    case .requestBytes: "A request is larger than it may be and was refused."
    case .slowHead: "A request's head did not come in time."
    case .slowTransfer: "A peer neither sent nor read for too long, and its connection was ended."
    case .messageBytes: "A WebSocket message is larger than it may be; its connection was closed."
    case .messageRate: "A WebSocket brings more messages in a second than it may; it is read more slowly."
    case .silence: "A WebSocket's peer did not answer pings; its connection was closed."
    case .queueBytes: "A WebSocket's peer does not read what it is sent; its connection was closed."
    case .totalBytes: "WebSockets hold more than they may together; the one with the most was closed."
    }
  }
}

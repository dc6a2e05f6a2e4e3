/// A limit of a server that a peer has reached. Each case says what the peer gets.
public enum WebServerBound: Sendable, Hashable, CaseIterable {
  /// ``WebServerLimits/connections``: an idle connection is closed or, if there is none, the new one gets 503.
  case connections
  /// The process has no descriptors left: new connections get 503, and new TLS connections are closed without an
  /// answer.
  case descriptors
  /// ``WebServerLimits/http``: the request gets 413, 414 or 431.
  case requestBytes
  /// ``WebServerLimits/headTimeout``: the request gets 408.
  case slowHead
  /// ``WebServerLimits/transferTimeout``: a request whose body does not arrive gets 408, and a response that is not
  /// read is cut.
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

  /// What happened, in one sentence.
  public var description: String {
    switch self {
    case .connections: "The limit of connections is reached; idle ones are closed, and then new ones are refused."
    case .descriptors: "The process has no file descriptors left (ulimit -n); new connections are refused."
    case .requestBytes: "A request is larger than the limit and was refused."
    case .slowHead: "A request's head did not arrive in time."
    case .slowTransfer: "A peer neither sent nor read for too long, and its connection was ended."
    case .messageBytes: "A WebSocket message is larger than the limit; its connection was closed."
    case .messageRate: "A WebSocket sends more messages a second than the limit; it is read more slowly."
    case .silence: "A WebSocket's peer did not answer pings; its connection was closed."
    case .queueBytes: "A WebSocket's peer does not read its messages; its connection was closed."
    case .totalBytes: "All WebSockets together hold more bytes than the limit; the one with the most was closed."
    }
  }
}

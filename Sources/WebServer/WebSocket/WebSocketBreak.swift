/// How a WebSocket ended that neither its owner nor its peer closed normally.
public enum WebSocketBreak: Sendable, Hashable {
  /// The peer sent a close frame with an error code, such as 1011 when its pings got no answer in time.
  case closedByPeer(WebSocketCloseCode)
  /// The peer has gone without a close frame.
  case peerGone
  /// The peer broke the protocol, and libwebsockets sent a close frame.
  case protocolError
  /// libwebsockets ended it without a close frame, although the peer is still there.
  case givenUp

  /// What happened, in one sentence.
  public var description: String {
    switch self {
    case .closedByPeer(let code):
      Self.known.contains(code.rawValue)
        ? "A peer closed its WebSocket with the code \(code.rawValue)."
        : "A peer closed its WebSocket with an unusual code."
    case .peerGone: "A WebSocket ended without a close frame: its peer has gone."
    case .protocolError: "A WebSocket's peer broke the protocol, and its connection was closed."
    case .givenUp: "A WebSocket ended without a close frame while its peer was still there. Please report this."
    }
  }

  /// The codes that are logged (RFC 6455, section 7.4.1). The range is limited, so that peers cannot produce arbitrary
  /// log lines.
  private static let known: ClosedRange<UInt16> = 1002...1015
}

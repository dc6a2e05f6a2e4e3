/// How a WebSocket has ended that its owner did not close, unless its peer closed it as peers do.
public enum WebSocketBreak: Sendable, Hashable {
  /// The peer sent a close frame whose code tells of a problem of its own, such as 1011 after pings that had no answer in time.
  case closedByPeer(WebSocketCloseCode)
  /// The peer has gone without a close frame.
  case peerGone
  /// libwebsockets has closed it, with a close frame, since the peer broke the protocol.
  case protocolError
  /// libwebsockets has ended it without a close frame, though the peer is there.
  case givenUp

  /// What has happened, in one sentence for people.
  public var description: String {
    switch self {
    case .closedByPeer(let code):
      Self.known.contains(code.rawValue)
        ? "A peer closed its WebSocket with the code \(code.rawValue)."
        : "A peer closed its WebSocket with an unusual code."
    case .peerGone: "A WebSocket ended without a close frame: its peer has gone."
    case .protocolError: "A WebSocket's peer broke the protocol, and its connection was closed."
    case .givenUp: "A WebSocket was ended without a close frame while its peer was there. Please report this."
    }
  }

  /// The codes that are named (RFC 6455, section 7.4.1): a few, so that peers do not make up lines of the log.
  private static let known: ClosedRange<UInt16> = 1002...1015
}

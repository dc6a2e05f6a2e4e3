/// A complete WebSocket message, with all its fragments.
public struct WebSocketMessage {
  /// The kind of a message.
  public enum Kind: Sendable {
    /// Valid UTF-8 text.
    case text
    /// Any bytes.
    case binary
  }

  /// Text or binary.
  public let kind: Kind
  /// The message. The buffer is valid only during the call of ``WebSocketConnection/onMessage``.
  public let bytes: UnsafeBufferPointer<UInt8>
}

/// The close code of a WebSocket: why it is closed (RFC 6455, section 7.4.1).
public struct WebSocketCloseCode: RawRepresentable, Sendable, Hashable {
  /// The code on the wire.
  public let rawValue: UInt16

  /// Creates a code from its number.
  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// 1000: normal closure.
  public static let normalClosure = WebSocketCloseCode(rawValue: 1000)
  /// 1001: the server stops, or the browser leaves the page, or is about to.
  public static let goingAway = WebSocketCloseCode(rawValue: 1001)
  /// 1002: the peer broke the protocol.
  public static let protocolError = WebSocketCloseCode(rawValue: 1002)
  /// 1003: this endpoint does not accept this kind of message.
  public static let unsupportedData = WebSocketCloseCode(rawValue: 1003)
  /// 1007: a text message is not UTF-8.
  public static let invalidFramePayloadData = WebSocketCloseCode(rawValue: 1007)
  /// 1008: the peer broke a rule or a limit of the server.
  public static let policyViolation = WebSocketCloseCode(rawValue: 1008)
  /// 1009: a message is larger than the limit.
  public static let messageTooBig = WebSocketCloseCode(rawValue: 1009)

  /// Whether it tells no error: a normal end, or a code that an application has defined for itself (RFC 6455, section 7.4.2).
  var isUsual: Bool { self == .normalClosure || self == .goingAway || 4000...4999 ~= rawValue }
}

/// How a WebSocket broke: neither its owner nor its peer closed it normally.
public enum WebSocketBreak: Sendable, Hashable {
  /// The peer sent a close frame with an error code, such as 1011 when its pings got no answer in time.
  case closedByPeer(WebSocketCloseCode)
  /// The peer has gone without a close frame.
  case peerDisconnected
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
    case .peerDisconnected: "A WebSocket ended without a close frame: its peer has gone."
    case .protocolError: "A WebSocket's peer broke the protocol, and its connection was closed."
    case .givenUp: "A WebSocket ended without a close frame while its peer was still there. Please report this."
    }
  }

  /// The codes that are named in a log (RFC 6455, section 7.4.1). Others are not, so that peers cannot fill a log with
  /// different lines.
  private static let known: ClosedRange<UInt16> = 1002...1015
}

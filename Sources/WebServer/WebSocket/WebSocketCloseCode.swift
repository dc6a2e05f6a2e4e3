/// Why a WebSocket is closed (RFC 6455, section 7.4.1).
public struct WebSocketCloseCode: RawRepresentable, Sendable, Hashable {
  /// The code on the wire.
  public let rawValue: UInt16

  /// Creates a code from its number.
  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// 1000: normal closure.
  public static let normalClosure = WebSocketCloseCode(rawValue: 1000)
  /// 1001: the server stops, or the page is left.
  public static let goingAway = WebSocketCloseCode(rawValue: 1001)
  /// 1002: the peer broke the protocol.
  public static let protocolError = WebSocketCloseCode(rawValue: 1002)
  /// 1003: this endpoint does not accept this kind of message.
  public static let unsupportedData = WebSocketCloseCode(rawValue: 1003)
  /// 1007: a text message is not UTF-8.
  public static let invalidFramePayloadData = WebSocketCloseCode(rawValue: 1007)
  /// 1008: a rule of this server was broken.
  public static let policyViolation = WebSocketCloseCode(rawValue: 1008)
  /// 1009: a message is larger than the limit.
  public static let messageTooBig = WebSocketCloseCode(rawValue: 1009)
}

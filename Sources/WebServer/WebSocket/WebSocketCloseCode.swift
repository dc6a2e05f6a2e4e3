/// Why a WebSocket is closed (RFC 6455, section 7.4.1).
public struct WebSocketCloseCode: RawRepresentable, Sendable, Hashable {
  /// The code on the wire.
  public let rawValue: UInt16

  /// Creates a code from its number.
  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// 1000: the purpose is fulfilled.
  public static let normalClosure = WebSocketCloseCode(rawValue: 1000)
  /// 1001: the server stops, or the page goes elsewhere.
  public static let goingAway = WebSocketCloseCode(rawValue: 1001)
  /// 1002: the peer broke the protocol.
  public static let protocolError = WebSocketCloseCode(rawValue: 1002)
  /// 1003: a kind of message that this endpoint does not take.
  public static let unsupportedData = WebSocketCloseCode(rawValue: 1003)
  /// 1007: a text that is no UTF-8.
  public static let invalidFramePayloadData = WebSocketCloseCode(rawValue: 1007)
  /// 1008: a rule of this server was broken.
  public static let policyViolation = WebSocketCloseCode(rawValue: 1008)
  /// 1009: a message larger than this server takes.
  public static let messageTooBig = WebSocketCloseCode(rawValue: 1009)
}

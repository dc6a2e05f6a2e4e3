import BridgeRuntime
import HTTP1
import HTTPTypes

/// The connection of one ``HTTPExchange``: what the versions of HTTP do differently. ``HTTPConnection`` has HTTP/1.1, ``HTTP2Stream`` has HTTP/2.
@BridgeActor
protocol ExchangeConnection: AnyObject {
  /// The version, such as `HTTP/2.0`; nil for that of the request's head.
  var protocolName: String? { get }
  /// Whether it uses TLS.
  var isSecure: Bool { get }
  /// The CONNECT at the beginning of the connection; nil for a direct connection.
  var tunnel: ConnectTunnel? { get }
  /// The peer's IP address without the port; nil when it is not known, or no longer.
  var peerAddress: String? { get }
  /// How many bytes of the response wait for the peer.
  var queuedByteCount: Int { get }

  /// Pauses or continues reading, as the reader of the request's body falls behind or catches up.
  func setReadingPaused(_ isPaused: Bool)
  /// The exchange has begun or ceased to wait for its peer.
  func expectationChanged()

  /// Sends an informational response.
  func inform(_ status: HTTPResponse.Status, fields: HTTPFields)
  /// Sends the head of the final response, and the first bytes of its body.
  ///
  /// - Returns: The fields as they are sent.
  func begin(_ response: OutgoingResponse, body: [UInt8]) -> HTTPFields
  /// Sends a piece of the response's body.
  func write(_ bytes: [UInt8])
  /// The response is complete.
  func end(trailers: HTTPFields)
  /// Ends in the middle of a response, so that the peer sees that the response is incomplete.
  func cut()
}

/// The head of a final response, without the fields that concern a connection only.
struct OutgoingResponse {
  let status: HTTPResponse.Status
  let fields: HTTPFields
  /// The size of the body in bytes; nil if it is not known.
  let length: Int?
  /// Whether a body is sent. Never after HEAD, and with some statuses.
  let hasBody: Bool
  /// Whether the handler wants the connection to close.
  let closesConnection: Bool
}

import BridgeRuntime
import HTTP1
import HTTPTypes

/// The connection of one ``HTTPExchange``. ``HTTPConnection`` implements it for HTTP/1.1, ``HTTP2Stream`` for HTTP/2.
@BridgeActor
protocol ExchangeConnection: AnyObject {
  /// The version of HTTP, such as `HTTP/2.0`; nil for the version in the request's head.
  var protocolName: String? { get }
  /// Whether it uses TLS.
  var isSecure: Bool { get }
  /// The CONNECT that the connection began with; nil for a direct connection.
  var tunnel: ConnectTunnel? { get }
  /// The peer's IP address without the port; nil when it is unknown, and once the connection is closed.
  var peerAddress: String? { get }
  /// How many bytes of the response are queued, because the peer reads slowly.
  var queuedByteCount: Int { get }

  /// Pauses reading when the reader of the request's body falls behind, and resumes it when it catches up.
  func setReadingPaused(_ isPaused: Bool)
  /// Sets the timer again, since ``HTTPExchange/peerTimeout(isReading:)`` may have changed.
  func expectationChanged()

  /// Sends an informational response.
  func inform(_ status: HTTPResponse.Status, fields: HTTPFields)
  /// Sends the head of the final response, and the first bytes of its body.
  ///
  /// - Returns: The fields that were sent: those of `response`, and those that concern the connection.
  func begin(_ response: OutgoingResponse, body: [UInt8]) -> HTTPFields
  /// Sends a piece of the response's body.
  func write(_ bytes: [UInt8])
  /// Completes the response.
  func end(trailers: HTTPFields)
  /// Closes the connection, or resets the stream, so that the peer sees that the response is incomplete.
  func cut()
  /// The handler of the exchange has returned.
  func handlerReturned()
}

/// The head of a final response, without the fields that concern the connection.
struct OutgoingResponse {
  let status: HTTPResponse.Status
  let fields: HTTPFields
  /// The size of the body in bytes; nil if it is not known yet.
  let length: Int?
  /// Whether to send a body. False in response to HEAD, and with status 204 or 304.
  let hasBody: Bool
  /// Whether the handler wants the connection to close (``HTTPExchange/closesConnection``).
  let closesConnection: Bool
}

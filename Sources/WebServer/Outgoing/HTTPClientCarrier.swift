import BridgeRuntime
import HTTPTypes

/// What carries an exchange to its server: a connection of HTTP/1.1, or a stream of one of HTTP/2.
@BridgeActor
protocol HTTPClientCarrier: AnyObject {
  /// How many bytes of the request wait to be sent.
  var queuedByteCount: Int { get }
  /// Whether the server may hand the request back unprocessed, after a part of its body has been sent (RFC 9113, section 8.7).
  var mayHandBack: Bool { get }

  /// Sends a piece of the request's body.
  func sendBody(_ bytes: [UInt8])
  /// Ends the request's body.
  func endBody(trailers: HTTPFields)
  /// Pauses or continues reading, as the reader of the response falls behind or catches up.
  func setReading(_ isReading: Bool)
  /// Ends the exchange in the middle, and with it whatever carries nothing else.
  func close()
}

import BridgeRuntime
import HTTPTypes

/// Gets the events of a session. Called within ``HTTP2Session/receive(_:)`` and ``HTTP2Session/nextOutput()``.
@BridgeActor
protocol HTTP2SessionDelegate: AnyObject {
  /// The fields of a message, or its trailers, are complete.
  func received(_ fields: [HTTP2Field], on stream: Int32, endsStream: Bool)
  /// A piece of a message's body.
  func received(_ bytes: UnsafeRawBufferPointer, on stream: Int32)
  /// The message is complete.
  func receivedEnd(on stream: Int32)
  /// The stream is closed.
  func closed(_ stream: Int32, _ end: HTTP2StreamEnd)
  /// Returns the next bytes of a stream's outgoing body, as many as fit into `buffer`.
  func nextBytes(of stream: Int32, into buffer: UnsafeMutableRawBufferPointer) -> HTTP2Session.Body
  /// The peer has sent its settings. `streamLimit` is how many streams it allows at a time.
  func receivedSettings(streamLimit: Int)
  /// The peer accepts no further requests (RFC 9113, section 6.8).
  func receivedGoAway(_ code: HTTP2ErrorCode)
  /// The peer has answered ``HTTP2Session/ping()``.
  func receivedPong()
}

extension HTTP2SessionDelegate {
  func receivedSettings(streamLimit: Int) {}
  func receivedGoAway(_ code: HTTP2ErrorCode) {}
  func receivedPong() {}
}

/// How a stream has ended.
struct HTTP2StreamEnd: Hashable, Sendable {
  /// The code of the reset; `NO_ERROR` when both sides have finished.
  let code: HTTP2ErrorCode
  /// The defect of the peer's message, as a clause; nil when the stream ended for another reason.
  var defect: String?
}

/// A received field of HTTP/2, which may be a pseudo-header field (RFC 9113, section 8.2).
struct HTTP2Field: Hashable, Sendable {
  let name: [UInt8]
  let value: [UInt8]
}

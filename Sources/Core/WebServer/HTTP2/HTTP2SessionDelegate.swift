import BridgeRuntime
import HTTPTypes

/// Gets the events of a session. All calls come from within ``HTTP2Session/receive(_:)`` and
/// ``HTTP2Session/nextOutput()``, which must not be called again meanwhile.
@BridgeActor
protocol HTTP2SessionDelegate: AnyObject {
  /// A field section has arrived: the head of a message, or its trailers.
  func received(_ fields: [HTTP2Field], on stream: Int32, endsStream: Bool)
  /// A piece of a message's body has arrived. The buffer is valid during the call only.
  func received(_ bytes: UnsafeRawBufferPointer, on stream: Int32)
  /// The last bytes of a message's body have arrived.
  func receivedEnd(on stream: Int32)
  /// The stream is closed.
  func closed(_ stream: Int32, _ end: HTTP2StreamEnd)
  /// Writes the next bytes of a stream's outgoing body to `buffer`, and returns how many, and what follows.
  func nextBytes(of stream: Int32, into buffer: UnsafeMutableRawBufferPointer) -> HTTP2Session.Body
  /// The peer's settings have arrived. `streamLimit` is how many open streams it allows.
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
  /// The code of the reset; `NO_ERROR` if both sides have finished.
  let code: HTTP2ErrorCode
  /// The defect of the peer's message, as a clause; nil when the stream ended for another reason.
  var defect: String?
}

/// A received field, which may be a pseudo-header field (RFC 9113, section 8.2).
struct HTTP2Field: Hashable, Sendable {
  let name: [UInt8]
  let value: [UInt8]

  var byteCount: Int { name.count + value.count }
}

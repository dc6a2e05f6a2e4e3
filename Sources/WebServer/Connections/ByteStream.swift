import BridgeRuntime

/// One connection as a stream of bytes, over a socket or over TLS.
@BridgeActor
protocol ByteStream: AnyObject {
  /// Receives the events of the stream. A weak reference, since the owner of a connection owns its stream.
  var delegate: (any ByteStreamDelegate)? { get set }
  /// How many bytes are queued for sending.
  var queuedByteCount: Int { get }
  /// The peer's IP address without the port; nil when there is none.
  var peerAddress: String? { get }

  /// Whether both ends have agreed on HTTP/2 for the bytes of the stream (RFC 9113, section 3.2).
  var isHTTP2: Bool { get }

  /// Queues bytes for sending.
  func write(_ bytes: [UInt8])
  /// Turns ``ByteStreamDelegate/streamReceived(_:)`` on and off.
  func setReading(_ isReading: Bool)
  /// Calls ``ByteStreamDelegate/streamTimerFired()`` after `duration`. Replaces an earlier timer; nil cancels it.
  func setTimer(_ duration: Duration?)
  /// Sends the queued bytes, then ends the sending side. Reading continues.
  func finishWriting()
  /// Closes at once. Queued bytes are lost.
  func close()
  /// Returns a descriptor with the plain bytes, for another owner, and closes the stream. Nil when that is not
  /// possible.
  func detachDescriptor() -> Int32?
}

/// Receives the events of a ``ByteStream``.
@BridgeActor
protocol ByteStreamDelegate: AnyObject {
  /// Bytes arrived. The buffer is valid during the call only.
  func streamReceived(_ bytes: UnsafeRawBufferPointer)
  /// The peer sends nothing more.
  func streamReceivedEnd()
  /// Queued bytes were sent. `queuedByteCount` is the number of those left.
  func streamSent()
  /// The timer of `setTimer` has fired.
  func streamTimerFired()
  /// The stream is closed, by either side. The last call.
  func streamClosed()
}

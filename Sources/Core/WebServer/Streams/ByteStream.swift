import BridgeRuntime

/// The bytes of one connection, over a plain socket or over TLS. A delegate may call all methods from within its own.
@BridgeActor
protocol ByteStream: AnyObject {
  /// Receives the events of the stream. Weak, since the delegate owns the stream.
  var delegate: (any ByteStreamDelegate)? { get set }
  /// How many written bytes the system has not accepted yet.
  var queuedByteCount: Int { get }
  /// How many written bytes are held in memory: those that are queued, and the sent part of the first piece.
  var heldByteCount: Int { get }
  /// How many written bytes the peer's system has not acknowledged, with those that are queued.
  var undeliveredByteCount: Int { get }
  /// The peer's IP address without the port; nil when it is unknown.
  var peerAddress: String? { get }

  /// Whether both ends have agreed on HTTP/2 by ALPN (RFC 9113, section 3.2). Always false without TLS.
  var isHTTP2: Bool { get }

  /// Queues bytes for sending. Ignores them after ``finishWriting()`` or ``close()``.
  func write(_ bytes: [UInt8])
  /// Turns ``ByteStreamDelegate/streamReceived(_:)`` on and off.
  func setReading(_ isReading: Bool)
  /// Calls ``ByteStreamDelegate/streamTimerFired()`` after `duration`. Replaces an earlier timer; nil cancels it.
  func setTimer(_ duration: Duration?)
  /// Sends the queued bytes, then ends the sending side. Reading continues.
  func finishWriting()
  /// Closes the connection without sending the queued bytes. ``ByteStreamDelegate/streamClosed()`` follows.
  func close()
  /// Returns a descriptor that carries the plain bytes, and closes the stream. The caller owns the descriptor. Nil when
  /// bytes are still queued, the stream is closing, or the system refuses.
  func detachDescriptor() -> Int32?
}

/// Receives the events of a ``ByteStream``.
@BridgeActor
protocol ByteStreamDelegate: AnyObject {
  /// Bytes arrived. The buffer is valid during the call only.
  func streamReceived(_ bytes: UnsafeRawBufferPointer)
  /// The peer sends nothing more.
  func streamReceivedEnd()
  /// Queued bytes were sent; ``ByteStream/queuedByteCount`` has changed.
  func streamSent()
  /// The timer of ``ByteStream/setTimer(_:)`` has fired.
  func streamTimerFired()
  /// The stream is closed, by either side. This is the last call.
  func streamClosed()
}

import BridgeRuntime

/// One connection as a stream of bytes, whatever lies below it: a socket, or TLS on one.
@BridgeActor
protocol ByteStream: AnyObject {
  /// Who is told what happens on the stream. Held weakly: the owner of a connection owns its stream.
  var delegate: (any ByteStreamDelegate)? { get set }
  /// How many bytes wait to be sent.
  var queuedByteCount: Int { get }
  /// The peer's address in digits, without the port; nil when there is none.
  var peerAddress: String? { get }

  /// Sends bytes, after those that wait.
  func write(_ bytes: [UInt8])
  /// Turns ``ByteStreamDelegate/streamReceived(_:)`` on and off.
  func setReading(_ isReading: Bool)
  /// Asks for ``ByteStreamDelegate/streamTimerFired()`` after `duration`, in place of an earlier such wish; nil takes it back.
  func setTimer(_ duration: Duration?)
  /// Sends what waits, then says that nothing more will come; reading goes on.
  func finishWriting()
  /// Closes at once; what waits is lost.
  func close()
  /// A descriptor on which the plain bytes go on, for another owner. The stream itself then closes.
  func detachDescriptor() -> Int32?
}

/// Is told what happens on a ``ByteStream``.
@BridgeActor
protocol ByteStreamDelegate: AnyObject {
  /// Bytes arrived. They are only valid during the call.
  func streamReceived(_ bytes: UnsafeRawBufferPointer)
  /// The peer will send nothing more.
  func streamReceivedEnd()
  /// Bytes that waited were sent; `queuedByteCount` tells how many are left.
  func streamSent()
  /// The time given to `setTimer` has passed.
  func streamTimerFired()
  /// The stream is closed, by whichever side. The last call.
  func streamClosed()
}

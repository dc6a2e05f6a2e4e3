import BridgeRuntime

/// One end of a tunnel: what comes on its stream goes out on the other end's, as fast as that one takes it.
///
/// When one side has nothing more to send, the other is told so and may still send, unless the one is known never to end by halves; when
/// one is gone, what waits for the other is still sent to it.
@BridgeActor
final class TunnelEnd: ByteStreamDelegate {
  /// The ends whose streams are open. Streams do not keep their delegates, and the two ends live for different times.
  private static var open: [ObjectIdentifier: TunnelEnd] = [:]

  private let stream: any ByteStream
  private weak var other: TunnelEnd?
  private var hasEnded = false
  private let endsAtOnce: Bool

  /// Joins two streams, each of which has its end or one who passes on to it for a delegate from now on. With `secondEndsAtOnce` the
  /// second one's peer is gone when it has nothing more to send.
  static func join(_ first: any ByteStream, _ second: any ByteStream, secondEndsAtOnce: Bool = false) -> (
    TunnelEnd, TunnelEnd
  ) {
    let ends = (TunnelEnd(first, endsAtOnce: false), TunnelEnd(second, endsAtOnce: secondEndsAtOnce))
    ends.0.other = ends.1
    ends.1.other = ends.0
    return ends
  }

  private init(_ stream: any ByteStream, endsAtOnce: Bool) {
    self.stream = stream
    self.endsAtOnce = endsAtOnce
    stream.setTimer(nil)
    Self.open[ObjectIdentifier(self)] = self
  }

  /// Sends bytes to this end's peer.
  func send(_ bytes: [UInt8]) {
    stream.write(bytes)
    if stream.queuedByteCount > Self.highWater { other?.stream.setReading(false) }
  }

  // MARK: From the stream

  func streamReceived(_ bytes: UnsafeRawBufferPointer) {
    other?.send(Array(bytes))
  }

  func streamReceivedEnd() {
    hasEnded = true
    guard let other, !endsAtOnce else { return stream.close() }
    other.stream.finishWriting()
    if other.hasEnded {
      stream.close()
      other.stream.close()
    }
  }

  func streamSent() {
    if stream.queuedByteCount < Self.lowWater, let other, !other.hasEnded { other.stream.setReading(true) }
  }

  func streamTimerFired() {
    stream.close()
  }

  func streamClosed() {
    Self.open[ObjectIdentifier(self)] = nil
    guard let other else { return }
    other.stream.finishWriting()
    other.stream.setTimer(Self.closingTime)
  }

  private static let highWater = 256 << 10
  private static let lowWater = 64 << 10
  /// How long a peer that the other side has left may take to go as well.
  private static let closingTime = Duration.seconds(10)
}

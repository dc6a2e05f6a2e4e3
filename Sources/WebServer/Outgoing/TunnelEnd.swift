import BridgeRuntime
public import HTTPTypes

/// One end of a tunnel. Bytes from its stream go to the other end's stream, as fast as that takes them.
///
/// When one side ends sending, the other side is told and may still send, unless the first is known to close
/// completely. When one side has gone, queued bytes are still sent to the other.
@BridgeActor
final class TunnelEnd: ByteStreamDelegate {
  /// The ends whose streams are open. Streams do not retain their delegates, and the two ends have different lifetimes.
  private static var open: [ObjectIdentifier: TunnelEnd] = [:]

  private let stream: any ByteStream
  private weak var other: TunnelEnd?
  private var hasEnded = false
  private let endsAtOnce: Bool

  /// Creates the two ends of a tunnel. Make each end the delegate of its stream, or forward the stream's events to it.
  /// With `secondEndsAtOnce`, the second peer has gone when it ends sending.
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
  /// How long a peer may take to close after the other side has gone.
  private static let closingTime = Duration.seconds(10)
}

extension HTTPExchange {
  /// Answers 101 (RFC 9110, section 15.2.2), and connects both connections as a tunnel: from now on, bytes from one
  /// peer go to the other unchanged, until both have ended.
  ///
  /// If this exchange already has an answer, or its peer has gone, it closes the other connection instead.
  ///
  /// - Parameters:
  ///   - upstream: An exchange that was answered with 101.
  ///   - fields: The fields of the 101.
  public func tunnel(to upstream: HTTPClientExchange, fields: HTTPFields) {
    guard let upstreamConnection = upstream.takeConnection() else { return }
    let (upstreamStream, answered) = upstreamConnection.detach()
    guard !hasBegun, !isAborted else { return upstreamStream.close() }
    let ends = TunnelEnd.join(connection.stream, upstreamStream)
    upstreamConnection.hand(to: ends.1)
    ends.1.send(switchProtocols(fields: fields, to: ends.0))
    ends.0.send(answered)
    upstreamStream.setReading(true)
  }
}

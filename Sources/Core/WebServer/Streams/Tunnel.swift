import BridgeRuntime

/// Forwards the bytes of each of two streams to the other one (``TunnelStateMachine``).
@BridgeActor
final class Tunnel {
  /// One end. It forwards the events of its stream to the tunnel.
  @BridgeActor
  private final class End: ByteStreamDelegate {
    private let tunnel: Tunnel
    private let side: TunnelStateMachine.Side

    init(_ tunnel: Tunnel, _ side: TunnelStateMachine.Side) {
      self.tunnel = tunnel
      self.side = side
    }

    func streamReceived(_ bytes: UnsafeRawBufferPointer) {
      if side == .second { tunnel.heardSecond() }
      tunnel.send(Array(bytes), to: side.other)
    }
    func streamReceivedEnd() { tunnel.perform(tunnel.machine.ended(side)) }
    func streamSent() {
      // While the first peer reads slowly, the second one is not read, so its silence does not count.
      if side == .first { tunnel.heardSecond() }
      tunnel.perform(tunnel.machine.sent(to: side, queued: tunnel.stream(side).queuedByteCount))
    }
    func streamTimerFired() { tunnel.perform(tunnel.machine.timedOut()) }
    func streamClosed() { tunnel.closed(side) }
  }

  /// Retains the delegates of the open tunnels until both streams are closed: streams do not retain their delegates.
  private static var open: [ObjectIdentifier: (End, End)] = [:]

  private let first: any ByteStream
  private let second: any ByteStream
  private let idleTimeout: Duration?
  /// How long the second peer may send nothing; nil for no limit.
  private var silence: Duration?
  private var machine: TunnelStateMachine
  private var onEnd: (() -> Void)?

  /// Joins two streams. Set each returned delegate on its stream, or forward the stream's events to it.
  ///
  /// - Parameters:
  ///   - first: The stream whose timer measures `idleTimeout`.
  ///   - second: The stream whose timer measures the time of ``endAfterSilence(of:)``.
  ///   - secondEndsAtOnce: Whether the second peer closes its socket completely when it ends sending.
  ///   - idleTimeout: After how long without bytes in either direction to close both streams; nil for never.
  ///   - onEnd: Called when both streams are closed.
  static func join(
    _ first: any ByteStream, _ second: any ByteStream, secondEndsAtOnce: Bool = false, idleTimeout: Duration? = nil,
    onEnd: (() -> Void)? = nil
  ) -> (tunnel: Tunnel, first: any ByteStreamDelegate, second: any ByteStreamDelegate) {
    let tunnel = Tunnel(first, second, TunnelStateMachine(secondEndsAtOnce: secondEndsAtOnce), idleTimeout, onEnd)
    let ends = (End(tunnel, .first), End(tunnel, .second))
    open[ObjectIdentifier(tunnel)] = ends
    return (tunnel, ends.0, ends.1)
  }

  private init(
    _ first: any ByteStream, _ second: any ByteStream, _ machine: TunnelStateMachine, _ idleTimeout: Duration?,
    _ onEnd: (() -> Void)?
  ) {
    (self.first, self.second) = (first, second)
    self.machine = machine
    self.idleTimeout = idleTimeout
    self.onEnd = onEnd
    first.setTimer(idleTimeout)
    second.setTimer(nil)
  }

  /// Sends bytes to one side that have come from the other.
  func send(_ bytes: [UInt8], to side: TunnelStateMachine.Side) {
    let receiver = stream(side)
    receiver.write(bytes)
    perform(machine.received(from: side.other, queued: receiver.queuedByteCount))
  }

  /// Closes both streams when the second peer sends nothing for this time, although it is read; nil for never.
  func endAfterSilence(of duration: Duration?) {
    silence = duration
    heardSecond()
  }

  private func heardSecond() {
    if let silence, machine.isOpen { second.setTimer(silence) }
  }

  /// Closes both streams.
  func cut() {
    first.close()
    second.close()
  }

  private func closed(_ side: TunnelStateMachine.Side) {
    perform(machine.closed(side))
    guard machine.isOver, Self.open.removeValue(forKey: ObjectIdentifier(self)) != nil else { return }
    onEnd?()
    onEnd = nil
  }

  private func perform(_ actions: [TunnelStateMachine.Action]) {
    for action in actions {
      switch action {
      case .setReading(let side, let isReading): stream(side).setReading(isReading)
      case .finishWriting(let side): stream(side).finishWriting()
      case .close(let side): stream(side).close()
      case .closeLater(let side): stream(side).setTimer(TunnelStateMachine.closingTime)
      case .awaitBytes: if let idleTimeout { first.setTimer(idleTimeout) }
      }
    }
  }

  private func stream(_ side: TunnelStateMachine.Side) -> any ByteStream { side == .first ? first : second }
}

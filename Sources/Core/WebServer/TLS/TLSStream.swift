import BridgeRuntime
import Essentials

/// TLS on another stream. It encrypts written bytes, and decrypts received ones.
///
/// A client that speaks plain HTTP gets a plain HTTP answer. Any other error of the protocol ends the connection with
/// an alert.
@BridgeActor
final class TLSStream: ByteStream, ByteStreamDelegate {
  private enum Role {
    /// An accepted connection.
    case server
    /// An outgoing connection. The continuation waits for the handshake; nil once that is over.
    case client(CheckedContinuation<Void, any Error>?)
  }

  private enum State {
    /// Bytes flow in both directions.
    case open
    /// The client got the answer to plain HTTP. Further bytes are discarded.
    case turningAway
    /// The socket is closing or closed.
    case ended
  }

  weak var delegate: (any ByteStreamDelegate)? {
    didSet { if delegate != nil, waitsForOwner { begin() } }
  }
  /// Whether the handshake of an outgoing connection is complete, but there is no delegate yet. Reading pauses until
  /// then.
  private var waitsForOwner = false
  /// Decrypted bytes that arrived before there was a delegate, since an HTTP/2 server may send first.
  private var early: [UInt8] = []
  private let socket: any ByteStream
  private let engine: TLSEngine
  private var role: Role
  private var state = State.open
  /// Bytes that were written before the handshake was complete.
  private var pending: [UInt8] = []
  private var finishesWriting = false
  private var hasToldEnd = false
  /// How many bytes of TLS's own messages were queued since the socket's queue was last empty.
  private var unreadAnswerByteCount = 0

  /// Decrypted bytes for a delegate, valid during the call only.
  private static let plain = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
  /// How many bytes of TLS's own messages (alerts, tickets, key updates) a peer may leave unread. Otherwise, a peer
  /// could make this end queue them without limit.
  private static let unreadAnswerLimit = 64 << 10

  /// Creates the server's side of an accepted connection. The loop must already watch the socket.
  /// - Throws: ``TLSFailure/noMemory``. The socket is open then.
  init(server context: TLSContext, on socket: any ByteStream) throws(TLSFailure) {
    self.socket = socket
    engine = try TLSEngine(server: context)
    role = .server
    socket.delegate = self
  }

  private init(engine: TLSEngine, on socket: any ByteStream) {
    (self.socket, self.engine) = (socket, engine)
    role = .client(nil)
    socket.delegate = self
  }

  /// Performs the handshake of a client.
  ///
  /// - Parameters:
  ///   - context: The settings.
  ///   - serverName: The server's name, or its address without brackets. The certificate must be valid for it.
  ///   - acceptsAnyCertificate: Whether to accept any certificate without a check.
  ///   - offersHTTP2: Whether the server may choose HTTP/2.
  ///   - socket: The connected socket. It is closed on failure.
  ///   - time: How long the handshake may take.
  /// - Returns: The stream. It reads on when its delegate is set.
  /// - Throws: ``TLSFailure``.
  static func connect(
    _ context: TLSContext,
    to serverName: String,
    acceptsAnyCertificate: Bool,
    offersHTTP2: Bool,
    on socket: any ByteStream,
    within time: Duration
  ) async throws(TLSFailure) -> TLSStream {
    let stream: TLSStream
    do {
      let engine = try TLSEngine(
        client: context, serverName: serverName, acceptsAnyCertificate: acceptsAnyCertificate, offersHTTP2: offersHTTP2)
      stream = TLSStream(engine: engine, on: socket)
    } catch {
      socket.close()
      throw error
    }
    do {
      try await withCheckedThrowingContinuation { continuation in
        stream.role = .client(continuation)
        stream.setTimer(time)
        stream.flush()
      }
    } catch let failure as TLSFailure {
      throw failure
    } catch {
      throw .timedOut
    }
    stream.setTimer(nil)
    return stream
  }

  // MARK: For the owner

  var queuedByteCount: Int { socket.queuedByteCount + pending.count }
  var heldByteCount: Int { socket.heldByteCount + pending.count }
  var undeliveredByteCount: Int { socket.undeliveredByteCount + pending.count }
  var peerAddress: String? { socket.peerAddress }
  var isHTTP2: Bool { engine.applicationProtocol == "h2" }

  func write(_ bytes: [UInt8]) {
    guard case .open = state, !finishesWriting else { return }
    guard engine.isEstablished, pending.isEmpty else { return pending += bytes }
    send(bytes)
  }

  func setReading(_ isReading: Bool) { socket.setReading(isReading) }

  func setTimer(_ duration: Duration?) { socket.setTimer(duration) }

  func finishWriting() {
    guard case .open = state, !finishesWriting else { return }
    finishesWriting = true
    if pending.isEmpty { finish() }
  }

  func close() {
    state = .ended
    socket.close()
  }

  /// Returns one end of a socket pair, since libwebsockets needs a descriptor. A tunnel between this stream and the
  /// other end of the pair encrypts and decrypts the bytes.
  func detachDescriptor() -> Int32? {
    guard case .open = state, engine.isEstablished, queuedByteCount == 0 else { return nil }
    var pair: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, streamSocketType, 0, &pair) == 0 else { return nil }
    guard !pair.contains(where: { isAmongTheLast($0) }) else {
      for descriptor in pair { Essentials.close(descriptor) }
      return nil
    }
    for descriptor in pair { makeNonBlocking(descriptor) }
    let inner = SocketStream(descriptor: pair[0])
    guard inner.watch() else {
      Essentials.close(pair[1])
      return nil
    }
    let owner = delegate
    let tunnel = Tunnel.join(self, inner, secondEndsAtOnce: true)
    delegate = tunnel.first
    inner.delegate = tunnel.second
    // As when a plain socket is given away, the former owner gets this event after the current turn.
    Task { @BridgeActor in owner?.streamClosed() }
    return pair[1]
  }

  // MARK: From the socket

  func streamReceived(_ bytes: UnsafeRawBufferPointer) {
    guard case .open = state else { return }
    do throws(TLSFailure) {
      try engine.receive(bytes, through: Self.plain) { bytes in
        if let delegate { delegate.streamReceived(bytes) } else { early += bytes }
      }
    } catch {
      return fail(error, first: bytes.first)
    }
    unreadAnswerByteCount += flush()
    if socket.queuedByteCount == 0 { unreadAnswerByteCount = 0 }
    guard unreadAnswerByteCount <= Self.unreadAnswerLimit else { return close() }
    if engine.isEstablished { established() }
    if engine.peerHasFinished { tellEnd() }
  }

  func streamReceivedEnd() {
    guard case .open = state, engine.isEstablished || engine.peerHasFinished else { return failHandshake(.truncated) }
    switch role {
    // A request has a length of its own, so an end without close_notify is no worse than on a plain connection.
    case .server: tellEnd()
    // A response may end with its connection. Without close_notify, it may be incomplete (RFC 9112, section 9.8).
    case .client: if engine.peerHasFinished { tellEnd() } else { close() }
    }
  }

  func streamSent() {
    if socket.queuedByteCount == 0 { unreadAnswerByteCount = 0 }
    if case .open = state { delegate?.streamSent() }
  }

  func streamTimerFired() {
    if case .client(let waiter?) = role {
      role = .client(nil)
      close()
      waiter.resume(throwing: TLSFailure.timedOut)
    } else if case .open = state {
      delegate?.streamTimerFired()
    } else {
      close()
    }
  }

  func streamClosed() {
    state = .ended
    failHandshake(.truncated)
    delegate?.streamClosed()
  }

  // MARK: TLS

  private func established() {
    if case .client(let waiter?) = role {
      role = .client(nil)
      waitsForOwner = true
      socket.setReading(false)
      waiter.resume()
    }
    guard !pending.isEmpty else { return }
    let bytes = pending
    pending = []
    send(bytes)
    if finishesWriting { finish() }
  }

  /// Tells the first delegate of an outgoing connection what arrived before it was set. Does so in another job, when
  /// the delegate is ready.
  private func begin() {
    waitsForOwner = false
    Task { @BridgeActor in
      let early = early
      self.early = []
      if !early.isEmpty { early.withUnsafeBytes { delegate?.streamReceived($0) } }
      if engine.peerHasFinished { tellEnd() }
      setReading(true)
    }
  }

  private func send(_ bytes: [UInt8]) {
    do throws(TLSFailure) {
      try engine.send(bytes)
      flush()
    } catch {
      fail(error, first: nil)
    }
  }

  private func finish() {
    engine.finish()
    flush()
    socket.finishWriting()
  }

  /// Passes the engine's output to the socket, and returns its size in bytes.
  @discardableResult
  private func flush() -> Int {
    let output = engine.takeOutput()
    socket.write(output)
    return output.count
  }

  /// Reports the end of the peer's side, at most once.
  private func tellEnd() {
    guard !hasToldEnd, let delegate else { return }
    hasToldEnd = true
    delegate.streamReceivedEnd()
  }

  private func fail(_ failure: TLSFailure, first: UInt8?) {
    if case .server = role, failure == .notTLS, let first, PlainHTTPAnswer.isHTTP(first) { return turnAway() }
    // Sends the alert that says what was wrong.
    flush()
    socket.finishWriting()
    close()
    failHandshake(failure)
  }

  /// Closes the connection if its handshake is not complete, and ends the wait for it.
  private func failHandshake(_ failure: TLSFailure) {
    guard case .client(let waiter?) = role else {
      if !engine.isEstablished { close() }
      return
    }
    role = .client(nil)
    close()
    waiter.resume(throwing: failure)
  }

  /// Answers a client that speaks plain HTTP.
  private func turnAway() {
    state = .turningAway
    socket.write(PlainHTTPAnswer.bytes)
    socket.finishWriting()
    setTimer(.seconds(2))
  }
}

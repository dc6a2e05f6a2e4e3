import BridgeRuntime
import Foundation
import HTTP1

/// TLS on a socket: what is written goes out encrypted, what is told has been decrypted.
///
/// Whoever speaks plain HTTP to a server is told so once. Every other breach of the protocol ends the connection, with the alert that says why.
@BridgeActor
final class TLSStream: ByteStream, ByteStreamDelegate {
  private enum Role {
    /// Accepted here.
    case server
    /// Made from here; the continuation waits for the handshake.
    case client(CheckedContinuation<Void, any Error>?)
  }

  private enum State {
    /// Bytes pass both ways.
    case open
    /// The peer was told that this is no place for plain HTTP; what it still sends is thrown away.
    case turningAway
    /// Another owner has the plain bytes, or the socket is about to be closed.
    case ended
  }

  weak var delegate: (any ByteStreamDelegate)?
  private let socket: SocketStream
  private let engine: TLSEngine
  private var role: Role
  private var state = State.open
  /// What was written before the handshake was complete.
  private var pending: [UInt8] = []
  private var finishesWriting = false
  private var hasToldEnd = false
  /// How much the protocol itself has put into the socket's queue since that was last empty.
  private var unreadAnswerByteCount = 0

  /// Decrypted bytes on their way to a delegate; nothing in it outlives the call.
  private static let plain = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
  /// How much of the protocol's own answers (alerts, tickets, key updates) a peer may leave unread.
  private static let unreadAnswerLimit = 64 << 10

  /// The server's side of a connection that was accepted. The socket must be watched by the loop.
  init(server context: TLSContext, on socket: SocketStream) {
    self.socket = socket
    engine = TLSEngine(server: context)
    role = .server
    socket.delegate = self
  }

  private init(engine: TLSEngine, on socket: SocketStream) {
    (self.socket, self.engine) = (socket, engine)
    role = .client(nil)
    socket.delegate = self
  }

  /// Makes a connection to a server secure, within `time`. A server without a certificate that the system trusts is refused, unless
  /// `acceptsAnyCertificate`. Throws ``HTTPClientError``; the socket is then closed.
  static func connect(
    _ context: TLSContext,
    to origin: HTTPOrigin,
    acceptsAnyCertificate: Bool,
    on socket: SocketStream,
    within time: Duration
  ) async throws(HTTPClientError) -> TLSStream {
    let engine = TLSEngine(
      client: context, serverName: origin.resolvableHost, acceptsAnyCertificate: acceptsAnyCertificate)
    let stream = TLSStream(engine: engine, on: socket)
    do {
      try await withCheckedThrowingContinuation { continuation in
        stream.role = .client(continuation)
        stream.setTimer(time)
        stream.flush()
      }
    } catch let failure as TLSFailure {
      var reason = failure.description
      if case .certificateRefused = failure {
        reason +=
          ". For a server of your own, on this machine or a private network, --proxy-insecure takes any certificate"
      }
      throw .cannotSecure(origin: origin, reason: reason)
    } catch {
      throw .timedOut(origin: origin, time)
    }
    stream.setTimer(nil)
    return stream
  }

  // MARK: For the owner

  var queuedByteCount: Int { socket.queuedByteCount + pending.count }
  var peerAddress: String? { socket.peerAddress }

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

  /// libwebsockets knows descriptors only: it gets one end of a pair, and what passes through the other one goes through here.
  func detachDescriptor() -> Int32? {
    guard case .open = state, engine.isEstablished, queuedByteCount == 0 else { return nil }
    var pair: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, streamSocketType, 0, &pair) == 0 else { return nil }
    for descriptor in pair { makeNonBlocking(descriptor) }
    let inner = SocketStream(descriptor: pair[0])
    guard inner.watch() else {
      Foundation.close(pair[1])
      return nil
    }
    let owner = delegate
    let ends = TunnelEnd.join(self, inner, secondEndsAtOnce: true)
    delegate = ends.0
    inner.delegate = ends.1
    // As with a descriptor that was given away, the owner hears of the end once it has let go.
    Task { @BridgeActor in owner?.streamClosed() }
    return pair[1]
  }

  // MARK: From the socket

  func streamReceived(_ bytes: UnsafeRawBufferPointer) {
    guard case .open = state else { return }
    do throws(TLSFailure) {
      try engine.receive(bytes, through: Self.plain) { delegate?.streamReceived($0) }
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
    // A request says itself where it ends: no more than on a plain connection can be cut off.
    case .server: tellEnd()
    // A response may end with its connection: without a word from the server it is incomplete (RFC 9112, section 9.8).
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
      waiter.resume(throwing: CancellationError())
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
      waiter.resume()
    }
    guard !pending.isEmpty else { return }
    let bytes = pending
    pending = []
    send(bytes)
    if finishesWriting { finish() }
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

  /// Hands what is to be sent to the socket, and returns how much that was.
  @discardableResult
  private func flush() -> Int {
    let output = engine.takeOutput()
    socket.write(output)
    return output.count
  }

  private func tellEnd() {
    guard !hasToldEnd else { return }
    hasToldEnd = true
    delegate?.streamReceivedEnd()
  }

  private func fail(_ failure: TLSFailure, first: UInt8?) {
    if case .server = role, failure == .notTLS, let first, PlainHTTPAnswer.isHTTP(first) { return turnAway() }
    // The alert that says what was wrong.
    flush()
    socket.finishWriting()
    close()
    failHandshake(failure)
  }

  private func failHandshake(_ failure: TLSFailure) {
    guard case .client(let waiter?) = role else {
      if !engine.isEstablished { close() }
      return
    }
    role = .client(nil)
    close()
    waiter.resume(throwing: failure)
  }

  private func turnAway() {
    state = .turningAway
    socket.write(PlainHTTPAnswer.bytes)
    socket.finishWriting()
    setTimer(.seconds(2))
  }
}

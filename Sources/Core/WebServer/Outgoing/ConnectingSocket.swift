import BridgeRuntime
import Essentials
import HTTP1

/// A TCP socket while it connects.
@BridgeActor
final class ConnectingSocket: RawDescriptor {
  private enum Outcome {
    case connected(Int32)
    case failed(reason: String)
    case timedOut
  }

  private var waiter: CheckedContinuation<Outcome, Never>?

  /// Connects to an address.
  ///
  /// - Parameters:
  ///   - address: The address.
  ///   - origin: The server, for errors.
  ///   - time: How long it may take.
  /// - Returns: A non-blocking descriptor, which the caller owns.
  /// - Throws: ``HTTPClientError/cannotConnect(origin:reason:)``, ``HTTPClientError/noDescriptor(origin:)`` or
  ///   ``HTTPClientError/timedOut(origin:_:)``.
  static func connect(
    to address: SocketAddress, of origin: HTTPOrigin, within time: Duration
  ) async throws(HTTPClientError) -> Int32 {
    let descriptor = socket(address.family, streamSocketType, 0)
    guard descriptor >= 0 else {
      if [EMFILE, ENFILE].contains(errno) { throw .noDescriptor(origin: origin) }
      throw .cannotConnect(origin: origin, reason: text(of: errno))
    }
    if isAmongTheLast(descriptor) {
      close(descriptor)
      throw .noDescriptor(origin: origin)
    }
    makeNonBlocking(descriptor)
    setNoDelay(descriptor)
    let status = address.bytes.withUnsafeBytes { bytes in
      bytes.baseAddress.map {
        Essentials.connect(descriptor, $0.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
      } ?? -1
    }
    if status == 0 { return descriptor }
    guard errno == EINPROGRESS else {
      let reason = text(of: errno)
      close(descriptor)
      throw .cannotConnect(origin: origin, reason: reason)
    }
    let connecting = ConnectingSocket(descriptor: descriptor)
    guard connecting.watch() else {
      throw .cannotConnect(origin: origin, reason: "the event loop did not take the socket")
    }
    connecting.setTimer(time)
    connecting.wantWrite()
    let outcome = await withCheckedContinuation { connecting.waiter = $0 }
    switch outcome {
    case .connected(let descriptor): return descriptor
    case .failed(let reason): throw .cannotConnect(origin: origin, reason: reason)
    case .timedOut: throw .timedOut(origin: origin, time)
    }
  }

  override func becameWritable() {
    finish()
  }

  override func becameReadable() {
    // The kernel may report a refused connection as readable.
    finish()
  }

  override func timerFired() {
    end(.timedOut)
  }

  override func closed() {
    super.closed()
    finish()
  }

  private func finish() {
    guard waiter != nil else { return }
    var code: Int32 = 0
    var length = socklen_t(MemoryLayout.size(ofValue: code))
    guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) == 0, code == 0, isOpen else {
      return end(.failed(reason: code == 0 ? "the connection was closed" : Self.text(of: code)))
    }
    guard let waiter, let descriptor = giveAway() else { return }
    self.waiter = nil
    waiter.resume(returning: .connected(descriptor))
  }

  private func end(_ outcome: Outcome) {
    guard let waiter else { return }
    self.waiter = nil
    closeSoon()
    waiter.resume(returning: outcome)
  }

  /// The system's text for an error, as a clause.
  private static func text(of code: Int32) -> String {
    let text = String(cString: strerror(code))
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}

/// Opens outgoing connections, on the same loop as accepted ones.
@BridgeActor
struct OutgoingConnection {
  /// The TLS context of all its connections.
  let context: TLSContext
  /// Which server certificates it accepts.
  let trust: HTTPClientTrust
  /// How long each address, and then the TLS handshake, may take. Name resolution does not count.
  let timeout: Duration
  /// The addresses that it refuses to connect to.
  var forbidden = ForbiddenDestinations.none

  /// Connects to a server. Tries its addresses in order until one accepts the connection. If the TLS handshake then
  /// fails, does not try the others.
  ///
  /// - Parameters:
  ///   - origin: The server.
  ///   - offersHTTP2: Whether an https server may choose HTTP/2.
  ///   - peerTimeout: See ``HTTPClientLimits/peerTimeout``.
  /// - Throws: ``HTTPClientError``: that of the last address.
  func open(
    to origin: HTTPOrigin, offersHTTP2: Bool = false, peerTimeout: Duration? = nil
  ) async throws -> any ByteStream {
    var failure: (any Error)?
    for address in try await SocketAddress.resolve(origin) {
      let socket: SocketStream
      do {
        // Check the address that is used. A second lookup of the name could find another one (DNS rebinding).
        if let reason = forbidden.reason(against: address, of: origin.resolvableHost) {
          throw HTTPClientError.refused(origin: origin, reason)
        }
        let descriptor = try await ConnectingSocket.connect(to: address, of: origin, within: timeout)
        if let peerTimeout { setPeerTimeout(descriptor, peerTimeout) }
        if forbidden.areOwn(descriptor, port: origin.port) {
          close(descriptor)
          throw HTTPClientError.refused(origin: origin, .itself)
        }
        socket = SocketStream(descriptor: descriptor)
        guard socket.watch() else { throw HTTPClientError.closed(origin: origin) }
      } catch {
        failure = error
        continue
      }
      guard origin.isSecure else { return socket }
      do {
        return try await TLSStream.connect(
          context,
          to: origin.resolvableHost,
          acceptsAnyCertificate: trust == .anyoneNearby && address.isNearby,
          offersHTTP2: offersHTTP2,
          on: socket,
          within: timeout
        )
      } catch {
        throw self.failure(error, of: origin)
      }
    }
    throw failure ?? HTTPClientError.closed(origin: origin)
  }

  /// Why there is no TLS with a server.
  private func failure(_ failure: TLSFailure, of origin: HTTPOrigin) -> HTTPClientError {
    var reason = failure.description
    switch failure {
    case .timedOut: return .timedOut(origin: origin, timeout)
    case .certificateRefused:
      reason +=
        ". If it is your own server, on this machine or in a private network, --proxy-insecure accepts any certificate"
    case .notTLS, .alert, .protocolError, .truncated, .noMemory: break
    }
    return .cannotSecure(origin: origin, reason: reason)
  }
}

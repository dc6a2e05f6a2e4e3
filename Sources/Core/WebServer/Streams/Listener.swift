import BridgeRuntime
import Essentials

/// A listening socket.
@BridgeActor
final class Listener: RawDescriptor {
  /// The port that the socket is bound to.
  let port: Int
  private let accepted: (Int32) -> Void
  private let exhausted: () -> [UInt8]
  /// The ports that this process listens on (``ForbiddenDestinations``).
  private(set) static var ports: Set<Int> = []
  /// Freed to accept and refuse one connection when the process has no descriptors left.
  private let reserve = ReservedDescriptor()
  /// The connection that uses the reserved descriptor. It is closed when the next one must be refused.
  private var refused: RefusedConnection?

  /// How long to stop accepting when there are no descriptors at all. The socket stays readable, so the loop would spin
  /// otherwise.
  private static let pause = Duration.milliseconds(100)

  /// Binds and listens.
  ///
  /// - Parameters:
  ///   - host: The address or name.
  ///   - port: The port; 0 for a free one.
  ///   - accepted: Called with the non-blocking descriptor of each new connection, which it then owns.
  ///   - exhausted: Called when the system has no descriptor for the next connection. Returns the bytes to send to that
  ///     connection before it is closed.
  /// - Throws: ``HTTPServerError``.
  init(
    host: String,
    port: Int,
    accepted: @escaping (Int32) -> Void,
    exhausted: @escaping () -> [UInt8]
  ) throws(HTTPServerError) {
    let descriptor = try Self.listen(host: host, port: port)
    self.port = Self.boundPort(of: descriptor) ?? port
    self.accepted = accepted
    self.exhausted = exhausted
    super.init(descriptor: descriptor)
    Self.ports.insert(self.port)
  }

  override func becameReadable() {
    reserve.restore()
    // At most 256 in each turn: a flood of new connections must not delay existing ones.
    for _ in 0..<256 {
      let connection = acceptNonBlocking(on: descriptor)
      guard connection >= 0 else { return acceptingFailed(errno) }
      setNoDelay(connection)
      accepted(connection)
    }
  }

  private func acceptingFailed(_ code: Int32) {
    guard [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code) else { return }
    let answer = exhausted()
    // Closing the earlier refused connection frees its descriptor at the end of this turn. The next turn tries again.
    if let refused { return refused.closeSoon() }
    if [EMFILE, ENFILE].contains(code), refuseNext(answer) { return }
    setReading(false)
    setTimer(Self.pause)
  }

  /// Accepts the next connection with the reserved descriptor, and refuses it. Returns false if the reserve is not
  /// open, or cannot be opened again after a failure.
  private func refuseNext(_ answer: [UInt8]) -> Bool {
    guard reserve.release() else { return false }
    let connection = acceptNonBlocking(on: descriptor)
    guard connection >= 0 else { return reserve.restore() }
    let refused = RefusedConnection(descriptor: connection) { [weak self] in
      self?.refused = nil
      self?.reserve.restore()
    }
    guard refused.refuse(answer) else { return reserve.restore() }
    self.refused = refused
    return true
  }

  override func timerFired() {
    reserve.restore()
    setReading(true)
  }

  override func closed() {
    super.closed()
    Self.ports.remove(port)
    refused?.closeSoon()
  }

  private static func listen(host: String, port: Int) throws(HTTPServerError) -> Int32 {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = streamSocketType
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
    var addresses: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &addresses) == 0, let first = addresses?.pointee else {
      throw .noSuchAddress(host: host)
    }
    defer { freeaddrinfo(addresses) }
    let descriptor = socket(first.ai_family, first.ai_socktype, first.ai_protocol)
    guard descriptor >= 0 else { throw failure(host, port) }
    var one: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout.size(ofValue: one)))
    guard bind(descriptor, first.ai_addr, first.ai_addrlen) == 0, Essentials.listen(descriptor, 4096) == 0 else {
      let error = failure(host, port)
      close(descriptor)
      throw error
    }
    makeNonBlocking(descriptor)
    if isLoopback(first) { setUnpaced(descriptor) }
    return descriptor
  }

  /// Whether an address is a loopback address.
  private static func isLoopback(_ address: addrinfo) -> Bool {
    let bytes = UnsafeRawBufferPointer(start: address.ai_addr, count: Int(address.ai_addrlen))
    switch address.ai_family {
    // An IPv4 address stands after family and port, an IPv6 address after family, port and flow label.
    case AF_INET: return bytes.count >= 8 && bytes[4] == 127
    case AF_INET6: return bytes.count >= 24 && bytes[8..<24].elementsEqual([UInt8](repeating: 0, count: 15) + [1])
    default: return false
    }
  }

  private static func failure(_ host: String, _ port: Int) -> HTTPServerError {
    switch errno {
    case EADDRINUSE: .addressInUse(host: host, port: port)
    case EACCES, EPERM: .permissionDenied(host: host, port: port)
    case EADDRNOTAVAIL: .noSuchAddress(host: host)
    case let code: .cannotListen(host: host, port: port, reason: String(cString: strerror(code)))
    }
  }

  private static func boundPort(of descriptor: Int32) -> Int? {
    var address = sockaddr_storage()
    var length = socklen_t(MemoryLayout.size(ofValue: address))
    let status = withUnsafeMutableBytes(of: &address) { bytes in
      bytes.baseAddress.map { getsockname(descriptor, $0.assumingMemoryBound(to: sockaddr.self), &length) } ?? -1
    }
    guard status == 0 else { return nil }
    return withUnsafeBytes(of: &address) { bytes in
      // Both address families have the port at the same place, in network order.
      Int(bytes[2]) << 8 | Int(bytes[3])
    }
  }
}

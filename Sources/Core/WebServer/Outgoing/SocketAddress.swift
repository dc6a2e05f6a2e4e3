import Essentials
import HTTP1

/// An address that a socket can connect to.
struct SocketAddress: Sendable {
  let family: Int32
  /// The `sockaddr` structure of the family.
  let bytes: [UInt8]

  /// Whether the address is loopback, private (RFC 1918, RFC 4193) or link-local.
  var isNearby: Bool {
    switch family {
    case AF_INET:
      // After the family and the port.
      let address = Array(bytes.dropFirst(4).prefix(4))
      guard address.count == 4 else { return false }
      return Self.isNearby(address)
    case AF_INET6:
      // After the family, the port and the flow label.
      let address = Array(bytes.dropFirst(8).prefix(16))
      guard address.count == 16 else { return false }
      let zeros = [UInt8](repeating: 0, count: 10)
      if address.starts(with: zeros + [0xFF, 0xFF]) { return Self.isNearby(Array(address.suffix(4))) }
      return address == zeros + [0, 0, 0, 0, 0, 1] || address[0] & 0xFE == 0xFC
        || (address[0] == 0xFE && address[1] & 0xC0 == 0x80)
    default: return false
    }
  }

  private static func isNearby(_ address: [UInt8]) -> Bool {
    switch (address[0], address[1]) {
    case (127, _), (10, _), (192, 168), (169, 254), (172, 16...31): true
    default: false
    }
  }

  /// Resolves the host of an origin. Returns at least one address, in the system's order of preference.
  ///
  /// The resolver runs on another thread, since it may wait for a name server. The system's settings say how long.
  /// - Throws: ``HTTPClientError/cannotResolve(host:reason:)`` or ``HTTPClientError/noDescriptor(origin:)``.
  static func resolve(_ origin: HTTPOrigin) async throws -> [SocketAddress] {
    let (host, port) = (origin.resolvableHost, origin.port)
    return try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Result { try lookUp(host: host, port: port, of: origin) })
      }
    }
  }

  private static func lookUp(
    host: String, port: Int, of origin: HTTPOrigin
  ) throws(HTTPClientError) -> [SocketAddress] {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = streamSocketType
    hints.ai_flags = AI_NUMERICSERV
    var first: UnsafeMutablePointer<addrinfo>?
    let status = getaddrinfo(host, String(port), &hints, &first)
    guard status == 0 else {
      // The resolver did not get as far as the name server.
      if status == EAI_SYSTEM {
        if [EMFILE, ENFILE].contains(errno) { throw .noDescriptor(origin: origin) }
        throw .cannotResolve(host: host, reason: String(cString: strerror(errno)))
      }
      throw .cannotResolve(host: host, reason: String(cString: gai_strerror(status)))
    }
    defer { freeaddrinfo(first) }
    let addresses = sequence(first: first) { $0?.pointee.ai_next }.prefix { $0 != nil }.compactMap { info in
      info.flatMap { info in
        info.pointee.ai_addr.map { address in
          SocketAddress(
            family: info.pointee.ai_family,
            bytes: Array(UnsafeRawBufferPointer(start: address, count: Int(info.pointee.ai_addrlen)))
          )
        }
      }
    }
    guard !addresses.isEmpty else { throw .cannotResolve(host: host, reason: "the name server lists none") }
    return addresses
  }
}

extension HTTPOrigin {
  /// The host for the system's resolver: an IPv6 address without its brackets.
  var resolvableHost: String { host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host }
}

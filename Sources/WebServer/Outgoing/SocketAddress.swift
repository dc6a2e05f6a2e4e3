import Foundation

/// An address that a socket can connect to.
struct SocketAddress: Sendable {
  let family: Int32
  let bytes: [UInt8]

  /// The addresses of a host, in the order in which the system would try them. Never empty.
  ///
  /// The resolver works on a thread of its own: it may wait for a name server for as long as the system's settings say.
  static func resolve(_ origin: HTTPOrigin) async throws -> [SocketAddress] {
    let (host, port) = (origin.resolvableHost, origin.port)
    return try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Result { try lookUp(host: host, port: port) })
      }
    }
  }

  private static func lookUp(host: String, port: Int) throws(HTTPClientError) -> [SocketAddress] {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = streamSocketType
    hints.ai_flags = AI_NUMERICSERV
    var first: UnsafeMutablePointer<addrinfo>?
    let status = getaddrinfo(host, String(port), &hints, &first)
    guard status == 0 else {
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
    guard !addresses.isEmpty else { throw .cannotResolve(host: host, reason: "it is known, but has none") }
    return addresses
  }
}

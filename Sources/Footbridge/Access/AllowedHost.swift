import HTTP1

/// Another name of the server, used by something in front of it: a TLS terminator, a container's port mapping, a rule of a browser's
/// resolver.
struct AllowedHost: Sendable, Hashable {
  /// The name, in lower case.
  let name: String
  private let port: Int?

  /// Creates a name with a port. Without a port it stands for the ports of the server, 80 and 443.
  init(name: String, port: Int? = nil) {
    self.name = name
    self.port = port
  }

  /// Reads a value of `--allow-host`: a name, perhaps with a port.
  init(_ text: String) throws(FootbridgeError) {
    // Other servers accept a star as a pattern. Here it would match nothing.
    guard let authority = Authority(text), !text.contains("*") else { throw .allowedHostInvalid(text) }
    self.init(name: authority.host, port: authority.port.map(Int.init))
  }

  /// Whether this name means a host and port, on a server that listens on the ports `listening`. A missing port is 80 or 443: what is in
  /// front may use another scheme than the server.
  func matches(_ host: String, port asked: Int?, listening: [Int]) -> Bool {
    guard host == name else { return false }
    let ports = asked.map { [$0] } ?? [80, 443]
    return ports.contains { port == nil ? [80, 443].contains($0) || listening.contains($0) : $0 == port }
  }
}

extension HTTPOrigin {
  /// Reads the origin that the page has in production (`--site-origin`). One `/` may follow it.
  init(siteOrigin text: String) throws(FootbridgeError) {
    guard let origin = HTTPOrigin(text.hasSuffix("/") ? String(text.dropLast()) : text) else {
      throw .siteOriginInvalid(text)
    }
    self = origin
  }
}

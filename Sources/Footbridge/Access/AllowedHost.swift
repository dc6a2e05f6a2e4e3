import HTTP1

/// A name by which something in front of the server leads to it: a terminator of TLS, a container's port, a rule of a browser's resolver.
struct AllowedHost: Sendable, Hashable {
  /// The name, in lower case.
  let name: String
  private let port: Int?

  /// A name at a port; without one, at the port that the server listens on and at those of the schemes.
  init(name: String, port: Int? = nil) {
    self.name = name
    self.port = port
  }

  /// Reads what `--allow-host` takes: a name, perhaps with a port.
  init(_ text: String) throws(FootbridgeError) {
    // No pattern is meant by a name that has a star in it, as other servers would have it.
    guard let authority = Authority(text), !text.contains("*") else { throw .allowedHostInvalid(text) }
    self.init(name: authority.host, port: authority.port.map(Int.init))
  }

  /// Whether a host and port are meant, on a server that listens on `listening`. A port that was not written is 80 or 443: what is in front
  /// need not have the server's own scheme.
  func matches(_ host: String, port asked: Int?, listening: [Int]) -> Bool {
    guard host == name else { return false }
    let ports = asked.map { [$0] } ?? [80, 443]
    return ports.contains { port == nil ? [80, 443].contains($0) || listening.contains($0) : $0 == port }
  }
}

/// Where a server is: scheme, host and port (RFC 9110, section 4.3.1).
public struct HTTPOrigin: Sendable, Hashable, CustomStringConvertible {
  /// Whether the scheme is `https`.
  public let isSecure: Bool
  /// The host in lower case: a name, an IPv4 address, or an IPv6 address in its brackets.
  public let host: String
  /// The port.
  public let port: Int

  /// Puts an origin together. Without a port it is the scheme's.
  public init(isSecure: Bool, authority: Authority) {
    self.isSecure = isSecure
    host = authority.host
    port = authority.port.map(Int.init) ?? (isSecure ? 443 : 80)
  }

  /// Reads an origin as browsers write it: scheme, host, perhaps a port, nothing else.
  public init?(_ text: String) {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), text.utf8[colon...].starts(with: "://".utf8) else {
      return nil
    }
    let scheme = text[..<colon].lowercased()
    guard ["http", "https"].contains(scheme),
      let authority = Authority(String(text[text.utf8.index(colon, offsetBy: 3)...]))
    else { return nil }
    self.init(isSecure: scheme == "https", authority: authority)
  }

  private init(isSecure: Bool, host: String, port: Int) {
    self.isSecure = isSecure
    self.host = host
    self.port = port
  }

  /// The origin that this one has over TLS: the scheme's own port becomes 443, any other port stays.
  public var secured: HTTPOrigin {
    HTTPOrigin(isSecure: true, host: host, port: !isSecure && port == 80 ? 443 : port)
  }

  /// Host and port as they stand in `Host`: the scheme's own port is left out.
  public var authority: String { port == (isSecure ? 443 : 80) ? host : "\(host):\(port)" }

  /// `http` or `https`.
  public var scheme: String { isSecure ? "https" : "http" }

  /// The origin as browsers write it.
  public var description: String { "\(scheme)://\(authority)" }
}

/// An origin: scheme, host and port (RFC 9110, section 4.3.1; RFC 6454).
///
/// ```swift
/// HTTPOrigin("https://Shop.Example:443")?.description  // "https://shop.example"
/// ```
public struct HTTPOrigin: Sendable, Hashable, CustomStringConvertible {
  /// Whether the scheme is `https`.
  public let isSecure: Bool
  /// The host in lower case: a name, an IPv4 address, or an IPv6 address in its brackets.
  public let host: String
  /// The port, even if it is the scheme's default.
  public let port: Int

  /// Creates an origin. Without a port, it has the scheme's default port.
  public init(isSecure: Bool, authority: Authority) {
    self.isSecure = isSecure
    host = authority.host
    port = authority.port.map(Int.init) ?? (isSecure ? 443 : 80)
  }

  /// Parses an `http` or `https` origin as browsers send it, such as `https://shop.example:8443`; nil when there is
  /// anything besides scheme, host and port, even a slash.
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

  /// The same host over `https`. Port 80 of an `http` origin becomes 443; any other port stays.
  public var secured: HTTPOrigin {
    HTTPOrigin(isSecure: true, host: host, port: !isSecure && port == 80 ? 443 : port)
  }

  /// Host and port as in the `Host` field, without the scheme's default port.
  public var authority: String { port == (isSecure ? 443 : 80) ? host : "\(host):\(port)" }

  /// `http` or `https`.
  public var scheme: String { isSecure ? "https" : "http" }

  /// The origin as browsers send it.
  public var description: String { "\(scheme)://\(authority)" }
}

public import Foundation

/// An origin of HTTP (RFC 6454): scheme, host and port.
public struct WebOrigin: Sendable, Hashable {
  /// `http` or `https`.
  public let scheme: String
  /// The host, lower-case.
  public let host: String
  /// The port; nil when it is the scheme's usual one.
  public let port: Int?

  /// The origin of `url`; nil for other schemes than `http` and `https`, and without a host.
  public init?(_ url: URL) {
    guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
      let host = url.host?.lowercased(),
      !host.isEmpty
    else { return nil }
    self.scheme = scheme
    self.host = host
    port = url.port == (scheme == "https" ? 443 : 80) ? nil : url.port
  }

  /// Reads an origin such as `https://today.example`; nil when the text says anything beyond scheme, host and port.
  public init?(_ text: String) {
    guard let url = URL(string: text), let origin = WebOrigin(url), url.user == nil, url.password == nil,
      url.query == nil,
      url.fragment == nil, ["", "/"].contains(url.path)
    else { return nil }
    self = origin
  }

  /// Whether the origin is reached over TLS.
  public var isSecure: Bool { scheme == "https" }

  /// The same host and port over TLS.
  var secured: WebOrigin { WebOrigin(scheme: "https", host: host, port: port) }

  private init(scheme: String, host: String, port: Int?) {
    self.scheme = scheme
    self.host = host
    self.port = port
  }
}

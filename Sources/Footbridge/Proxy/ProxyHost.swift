import HTTP1

/// What the server behind is told to be called (`--proxy-host`): by `Host`, `Origin`, `Referer` and `X-Forwarded-*`, which always agree.
/// Servers compare these fields with each other to detect forged requests.
public enum ProxyHost: Sendable, Hashable {
  /// As the browser calls it.
  case keep
  /// By its own address.
  case upstream
  /// By another name, perhaps with a port.
  case name(String)

  /// Reads a value of `--proxy-host`.
  ///
  /// - Throws: ``FootbridgeError/proxyHostInvalid(_:)`` for a text that is no host.
  public init(_ text: String) throws(FootbridgeError) {
    switch text {
    case "keep": self = .keep
    case "upstream": self = .upstream
    default:
      guard let authority = Authority(text), !text.contains("*") else { throw .proxyHostInvalid(text) }
      self = .name(authority.rawValue)
    }
  }

  /// The default for an upstream. On this machine it is a development server, which accepts the names of this machine and addresses, and
  /// makes its absolute links from `Host`. Elsewhere it may be one of several virtual hosts.
  static func usual(for origin: HTTPOrigin) -> ProxyHost {
    Authority(origin.host)?.isTrustworthy ?? false ? .keep : .upstream
  }
}

/// Scheme, host and port by which one side knows the site.
struct SiteName: Sendable, Hashable {
  /// `http` or `https`.
  let scheme: String
  /// Host and port, as a `Host` field has them.
  let authority: String

  /// The value of `Origin`.
  var origin: String { "\(scheme)://\(authority)" }
}

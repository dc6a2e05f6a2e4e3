import HTTP1

/// The host name of the site in requests to the upstream server (`--proxy-host`). It is in `Host`, `Origin`, `Referer` and `X-Forwarded-*`,
/// which always agree: servers compare these fields to detect forged requests.
public enum ProxyHost: Sendable, Hashable {
  /// The name that the browser uses.
  case keep
  /// The upstream server's own address.
  case upstream
  /// Another name, with an optional port.
  case name(String)

  /// Reads a value of `--proxy-host`.
  ///
  /// - Throws: ``SiteError/proxyHostInvalid(_:)`` for a text that is not a host.
  public init(_ text: String) throws(SiteError) {
    switch text {
    case "keep": self = .keep
    case "upstream": self = .upstream
    default:
      guard let authority = Authority(text), !text.contains("*") else { throw .proxyHostInvalid(text) }
      self = .name(authority.rawValue)
    }
  }

  /// The default for an upstream server. On this machine, it is probably a development server: it accepts any name of this machine, and
  /// makes absolute links from `Host`. On another machine, it may be one of several virtual hosts.
  static func usual(for origin: HTTPOrigin) -> ProxyHost {
    Authority(origin.host)?.isTrustworthy ?? false ? .keep : .upstream
  }
}

/// The site's scheme, host and port as one side knows them: the browser, or the upstream server.
struct SiteName: Sendable, Hashable {
  /// `http` or `https`.
  let scheme: String
  /// Host and port, as a `Host` field has them.
  let authority: String

  /// The value of `Origin`.
  var origin: String { "\(scheme)://\(authority)" }
}

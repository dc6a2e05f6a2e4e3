public import Essentials
package import HTTP1

/// Decides which documents may get a token, as `FeedWebHeaders.isTokenTrustedSurface` does on iOS.
public struct TrustPolicy: Sendable, Hashable {
  private let origins: Set<HTTPOrigin>
  private let paths: [String]

  /// Trusts documents of these origins at or below these paths. The contract names its surfaces (feed, embed,
  /// auth-whitelisted scope) but not their addresses, so the developer lists them.
  ///
  /// - Parameters:
  ///   - trustedOrigins: Origins such as `https://today.example`.
  ///   - trustedPaths: Paths that begin with a slash; an empty list trusts every path.
  ///
  /// - Throws: ``TodaySettingsError/trustedOrigin(_:)`` and ``TodaySettingsError/trustedPath(_:)``.
  public init(trustedOrigins: [String], trustedPaths: [String] = ["/"]) throws(TodaySettingsError) {
    var origins: Set<HTTPOrigin> = []
    for text in trustedOrigins {
      guard let origin = URL(string: text).flatMap(HTTPOrigin.init(onlyIn:)) else { throw .trustedOrigin(text) }
      origins.insert(origin)
    }
    for path in trustedPaths where !path.hasPrefix("/") { throw .trustedPath(path) }
    self.origins = origins
    paths = trustedPaths.isEmpty ? ["/"] : trustedPaths
  }

  /// Decides what a document may get.
  ///
  /// A page without TLS never gets secrets. It counts as ``TrustDecision/cleartext`` if its own origin is listed, or the
  /// origin that it would have over HTTPS.
  public func decide(_ document: TodayDocument) -> TrustDecision {
    guard document.frame == .main else { return .subframe }
    guard let origin = HTTPOrigin(document.siteURL), hasTrustedPath(document.siteURL) else { return .untrusted }
    if origin.isSecure { return origins.contains(origin) ? .trusted : .untrusted }
    return origins.contains(origin) || origins.contains(origin.secured) ? .cleartext : .untrusted
  }

  /// Whether one of the trusted origins has this host, and this port if it is not the usual one: `today.example`, `localhost:8443`.
  public func trusts(host: String) -> Bool { origins.contains { $0.description.hasSuffix("//\(host)") } }

  private func hasTrustedPath(_ url: URL) -> Bool {
    let path = url.path(percentEncoded: true)
    // Browsers resolve such segments before they send a request. A path that still contains them is an attempt to
    // deceive.
    let hasDots = path.lowercased().replacing("%2e", with: ".").split(separator: "/").contains {
      $0 == "." || $0 == ".."
    }
    return !hasDots && paths.contains { Self.isAtOrBelow(path.isEmpty ? "/" : path, $0) }
  }

  private static func isAtOrBelow(_ path: String, _ trusted: String) -> Bool {
    let path = path.utf8
    let trusted = trusted.utf8
    guard path.starts(with: trusted) else { return false }
    let slash = UInt8(ascii: "/")
    return path.count == trusted.count || trusted.last == slash || path.dropFirst(trusted.count).first == slash
  }
}

/// What a document may get.
public enum TrustDecision: Sendable, Hashable {
  /// A subframe: nothing. Every call is answered with `undefined`.
  case subframe
  /// A main frame that is not a trusted surface.
  case untrusted
  /// A trusted surface without TLS: no secrets.
  case cleartext
  /// A trusted surface over HTTPS: bearer token and session cookie.
  case trusted
}

/// The calling document, as the server knows it. No value comes from script.
public struct TodayDocument: Sendable, Hashable {
  /// The document's URL in production.
  public var siteURL: URL
  /// The kind of frame that shows the document.
  public var frame: FrameKind

  /// Creates a document.
  ///
  /// - Parameters:
  ///   - siteURL: The document's URL in production.
  ///   - frame: The kind of frame that shows it.
  public init(siteURL: URL, frame: FrameKind) {
    self.siteURL = siteURL
    self.frame = frame
  }
}

/// The kind of frame that shows a document, as the server knows it from serving the document.
public enum FrameKind: String, Sendable, Hashable {
  /// The page's main frame.
  case main
  /// A frame with the same origin as its parent page. It is treated like any other frame, since only the main document
  /// gets tokens.
  case sameOriginSubframe
  /// A frame with another origin than its parent page.
  case crossOriginSubframe
}

extension HTTPOrigin {
  /// The origin of a URL (RFC 6454, section 4); nil without a host, and for other schemes than `http` and `https`.
  package init?(_ url: URL) {
    guard let scheme = url.scheme?.lowercased(), let host = url.host(percentEncoded: true) else { return nil }
    // Foundation leaves out the brackets of IPv6 addresses.
    let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    self.init("\(scheme)://\(name)" + (url.port.map { ":\($0)" } ?? ""))
  }

  /// The origin that a URL consists of; nil when the URL has user information, a path other than `/`, a query or a fragment.
  package init?(onlyIn url: URL) {
    guard url.user == nil, url.password == nil, url.query == nil, url.fragment == nil, ["", "/"].contains(url.path)
    else { return nil }
    self.init(url)
  }
}

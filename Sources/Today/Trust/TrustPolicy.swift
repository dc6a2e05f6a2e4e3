import Essentials
import HTTP1

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
  /// A page without TLS is a surface without secrets if its own origin is listed, or the one that it would have over
  /// HTTPS.
  public func decide(_ document: TodayDocument) -> TrustDecision {
    guard document.frame == .main else { return .subframe }
    guard let origin = HTTPOrigin(document.siteURL), hasTrustedPath(document.siteURL) else { return .untrusted }
    if origin.isSecure { return origins.contains(origin) ? .trusted : .untrusted }
    return origins.contains(origin) || origins.contains(origin.secured) ? .cleartext : .untrusted
  }

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

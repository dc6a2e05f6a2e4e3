import Foundation
import HTTP1

/// Which documents are trusted with a token: what `FeedWebHeaders.isTokenTrustedSurface` decides on iOS.
public struct TrustPolicy: Sendable, Hashable {
  private let origins: Set<HTTPOrigin>
  private let paths: [String]

  /// Trusts documents of these origins at and below these paths. The contract's surfaces (feed, embed, auth-whitelisted scope) are not
  /// public: which they are is the developer's word; without any path, every path.
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

  /// Decides about a document.
  ///
  /// A page in clear text is a surface, without secrets, when its own origin is listed or the one that it would have over HTTPS.
  public func decide(_ document: TodayDocument) -> TrustDecision {
    guard document.frame == .main else { return .subframe }
    guard let origin = HTTPOrigin(document.siteURL), hasTrustedPath(document.siteURL) else { return .untrusted }
    if origin.isSecure { return origins.contains(origin) ? .trusted : .untrusted }
    return origins.contains(origin) || origins.contains(origin.secured) ? .cleartext : .untrusted
  }

  private func hasTrustedPath(_ url: URL) -> Bool {
    let path = url.path(percentEncoded: true)
    // Browsers resolve such segments before they ask; whoever sends them wants to be somewhere else than the path says.
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

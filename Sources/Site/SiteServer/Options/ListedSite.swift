public import HTTP1

/// A site that browsers see under its own origin, with this server as their proxy (`--site`).
public struct ListedSite: Sendable, Hashable {
  /// The origin that the page has, as in production.
  public let origin: HTTPOrigin
  /// The address of the server that the page comes from: the site's own server, or another one.
  let upstream: String

  /// Whether the page comes from the site's own server.
  var isOwnServer: Bool { HTTPOrigin(upstream) == origin }

  /// Reads a value of `--site`: an origin, perhaps followed by `=` and the address of another server. Throws
  /// ``SiteError/upstreamInvalid(reason:)``.
  public init(_ text: String) throws(SiteError) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let name = parts[0].hasSuffix("/") ? String(parts[0].dropLast()) : parts[0]
    guard let origin = HTTPOrigin(name), !name.contains("*") else {
      throw .upstreamInvalid(
        reason:
          "\(parts[0]) is not an origin. Use scheme, host and optional port, such as https://app.example.com=http://localhost:5173"
      )
    }
    self.origin = origin
    upstream = parts.count == 2 ? parts[1] : origin.description
    // Checks the address.
    _ = try ProxyRoute(prefix: "/", upstream: upstream)
  }

  /// Checks that no two sites have the same origin. Throws ``SiteError/upstreamInvalid(reason:)``.
  package static func check(_ sites: [ListedSite]) throws(SiteError) {
    var origins: Set<HTTPOrigin> = []
    for site in sites where !origins.insert(site.origin).inserted {
      throw .upstreamInvalid(reason: "--site: \(site.origin) is listed twice. Remove one")
    }
  }
}

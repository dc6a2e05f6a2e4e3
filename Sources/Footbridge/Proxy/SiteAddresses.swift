import Foundation
import HTTP1

/// Translates addresses between the site as the browser knows it, the upstream as it knows itself, and the site in production.
///
/// The three are one site to the page: what the upstream says of its own address, or of the production one, must lead back to the browser's,
/// and what the browser says of the site's origin must be the upstream's own, or its checks against forged requests would fail.
struct SiteAddresses {
  /// The scheme that the browser uses.
  let scheme: String
  /// Host and port that the browser uses; nil when it did not say.
  let authority: Authority?
  /// The route of the request.
  let route: ProxyRoute
  /// All routes.
  let routes: ProxyRoutes
  /// The site's origin in production, if it is known.
  let siteOrigin: HTTPOrigin?

  /// The origin that the browser knows; nil when it did not say.
  var localOrigin: String? { authority.map { "\(scheme)://\($0.rawValue.lowercased())" } }

  /// Whether browsers hold the origin that they know to be safe from others on the line
  /// (https://www.w3.org/TR/secure-contexts/#is-origin-trustworthy).
  var isTrustworthy: Bool {
    scheme == "https" || authority.map { $0.isLoopback || $0.host.hasSuffix(".localhost") } ?? false
  }

  /// An address in a field of the response (`Location`, RFC 9110, section 10.2.2) as the browser should have it.
  func local(_ location: String) -> String {
    if location.hasPrefix("/"), !location.hasPrefix("//") { return localReference(location) ?? location }
    let absolute = location.hasPrefix("//") ? route.origin.scheme + ":" + location : location
    guard let (target, isSecure, rest) = Self.split(absolute), let local = localOrigin else { return location }
    let origin = HTTPOrigin(isSecure: isSecure, authority: target)
    // A site often answers on both schemes and redirects from one to the other.
    let ports = origin.port == 80 || origin.port == 443 ? [80, 443] : [origin.port]
    for port in ports {
      for route in routes.routes(to: origin.host, port, preferred: route) {
        if let reference = SiteAddresses.mapped(rest, { route.sitePath(of: $0) }) { return local + reference }
      }
    }
    if let siteOrigin, siteOrigin.host == origin.host, ports.contains(siteOrigin.port) { return local + rest }
    return location
  }

  /// An origin, or an address that begins with one, in a field of the request (`Origin`, `Referer`) as the upstream should have it.
  func upstream(_ address: String) -> String {
    guard let local = localOrigin, address.lowercased().hasPrefix(local) else { return address }
    let rest = address.dropFirst(local.count)
    guard rest.isEmpty || rest.hasPrefix("/") else { return address }
    return route.origin.description
      + (SiteAddresses.mapped(String(rest), { route.upstreamPath(of: $0) }) ?? String(rest))
  }

  /// An origin in a field of the response (`Access-Control-Allow-Origin`) as the browser should have it.
  func localOrigin(for origin: String) -> String {
    guard origin.contains("://"), let local = localOrigin, self.local(origin + "/") == local + "/" else {
      return origin
    }
    return local
  }

  /// The host that the site has in production; the browser's as long as nothing else is known.
  var siteHost: String? { siteOrigin?.host ?? authority?.host }

  /// The URL that a request would have in production; nil when its target has no path.
  func siteURL(of target: RequestTarget) -> URL? {
    guard let path = target.path, let origin = siteOrigin?.description ?? localOrigin else { return nil }
    return URL(string: origin + path + (target.query.map { "?" + $0 } ?? ""))
  }

  /// Whether a cookie's `Domain` (RFC 6265, section 5.2.3) is another of the site's hosts, so that the cookie would be refused from `host`.
  func isForeignCookieDomain(_ domain: String, to host: String?) -> Bool {
    let domain = (domain.hasPrefix(".") ? String(domain.dropFirst()) : domain).lowercased()
    func matches(_ host: String?) -> Bool { host.map { $0 == domain || $0.hasSuffix("." + domain) } ?? false }
    return !matches(host) && (matches(route.origin.host) || matches(siteOrigin?.host) || matches(authority?.host))
  }

  private func localReference(_ reference: String) -> String? {
    Self.mapped(reference) { route.sitePath(of: $0) }
  }

  /// Translates the path of a reference and keeps its query and fragment.
  private static func mapped(_ reference: String, _ translate: (String) -> String?) -> String? {
    let path = reference.prefix { $0 != "?" && $0 != "#" }
    return translate(path.isEmpty ? "/" : String(path)).map { translated in
      (path.isEmpty && translated == "/" ? "" : translated) + reference.dropFirst(path.count)
    }
  }

  private static func split(_ address: String) -> (authority: Authority, isSecure: Bool, rest: String)? {
    let parts = address.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, ["http", "https"].contains(parts[0].lowercased()) else { return nil }
    let authority = parts[1].prefix { !"/?#".contains($0) }
    return Authority(String(authority)).map {
      ($0, parts[0].lowercased() == "https", String(parts[1].dropFirst(authority.count)))
    }
  }
}

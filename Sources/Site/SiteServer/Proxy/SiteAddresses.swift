import Essentials
import HTTP1

/// Translates between the addresses of the site in the browser, at the upstream server, and in production.
///
/// For the page, the three are one site. So an address of the upstream server or of production must become one of the browser. The origin
/// that the upstream server gets must agree with its `Host`, or its checks against forged requests fail.
struct SiteAddresses {
  /// The scheme that the browser uses.
  let scheme: String
  /// The host and port that the browser uses; nil if the request has none.
  let authority: Authority?
  /// The route of the request.
  let route: ProxyRoute
  /// All routes.
  let routes: ProxyRoutes
  /// The site's origin in production, if it is known.
  let siteOrigin: HTTPOrigin?
  /// The choice of the site's name in requests to the upstream server; nil for the default.
  let proxyHost: ProxyHost?
  /// The listed site whose own origin the browser uses; nil if it uses an address of this server.
  var listedSite: ListedSite?

  /// The origin that the browser uses; nil if the request has no host.
  var localOrigin: String? { authority.map { "\(scheme)://\($0.rawValue.lowercased())" } }

  /// Whether browsers treat the origin as secure (https://www.w3.org/TR/secure-contexts/#is-origin-trustworthy).
  var isTrustworthy: Bool {
    scheme == "https" || authority?.isTrustworthy ?? false
  }

  /// The site's name in requests to the upstream server.
  var siteName: SiteName {
    switch proxyHost ?? route.usualHost {
    case .name(let name): SiteName(scheme: route.origin.scheme, authority: name)
    case .keep:
      authority.map { SiteName(scheme: scheme, authority: $0.rawValue) }
        ?? SiteName(scheme: route.origin.scheme, authority: route.origin.authority)
    case .upstream: SiteName(scheme: route.origin.scheme, authority: route.origin.authority)
    }
  }

  /// Translates an address in a field of the response (`Location`, RFC 9110, section 10.2.2) for the browser.
  func local(_ location: String) -> String {
    if location.hasPrefix("/"), !location.hasPrefix("//") { return localReference(location) ?? location }
    let absolute = location.hasPrefix("//") ? route.origin.scheme + ":" + location : location
    guard let (target, isSecure, rest) = Self.split(absolute), let local = localOrigin else { return location }
    let origin = HTTPOrigin(isSecure: isSecure, authority: target)
    // A site often listens on both schemes and redirects from one to the other.
    let ports = origin.port == 80 || origin.port == 443 ? [80, 443] : [origin.port]
    for port in ports {
      for route in routes.routes(to: origin.host, port, preferred: route) {
        if let reference = SiteAddresses.mapped(rest, { route.sitePath(of: $0) }) { return local + reference }
      }
    }
    if let siteOrigin, siteOrigin.host == origin.host, ports.contains(siteOrigin.port) { return local + rest }
    // The upstream server may also use the name that it was given. It may not know the scheme.
    let names = [authority?.rawValue, siteName.authority].compactMap { $0.flatMap(Authority.init) }
    guard names.contains(where: { $0.host == target.host && $0.port == target.port }) else { return location }
    return local + (SiteAddresses.mapped(rest, { route.sitePath(of: $0) }) ?? rest)
  }

  /// Translates the address in a `Refresh` field for the browser. As in `<meta>`, the field has seconds, a separator, and optionally `url=`
  /// and quotation marks.
  func localRefresh(_ value: String) -> String {
    guard let separator = value.firstIndex(where: { $0 == ";" || $0 == "," }) else { return value }
    var start = value.index(after: separator)
    func skip(_ isSkipped: (Character) -> Bool) {
      while start < value.endIndex, isSkipped(value[start]) { start = value.index(after: start) }
    }
    skip { $0 == " " }
    if value[start...].lowercased().hasPrefix("url") {
      let sign = value[start...].dropFirst(3).drop { $0 == " " }
      if sign.first == "=" { start = sign.index(after: sign.startIndex) }
      skip { $0 == " " }
    }
    let quote = value[start...].first.flatMap { $0 == "\"" || $0 == "'" ? $0 : nil }
    if quote != nil { start = value.index(after: start) }
    let address = value[start...].prefix { $0 != quote }
    return value[..<start] + local(String(address)) + value[address.endIndex...]
  }

  /// Translates a link of a document for the browser, if it names a host.
  func localLink(_ link: String) -> String {
    let address = link.trimmingPrefix(while: \.isWhitespace)
    if address.hasPrefix("//") { return local("\(route.origin.scheme):\(address)", or: link) }
    return address.contains("://") ? local(String(address), or: link) : link
  }

  /// Translates an address, or returns `link` if it leads elsewhere.
  private func local(_ address: String, or link: String) -> String {
    let translated = local(address)
    return translated == address ? link : translated
  }

  /// Translates the addresses between two characters in a field of the response, such as the targets in a `Link`.
  func local(in value: String, between start: Character, and end: Character) -> String {
    var result = ""
    var rest = value[...]
    while let first = rest.firstIndex(of: start), let last = rest[rest.index(after: first)...].firstIndex(of: end) {
      result += rest[...first] + local(String(rest[rest.index(after: first)..<last])) + String(end)
      rest = rest[rest.index(after: last)...]
    }
    return result + rest
  }

  /// Adds the browser's address to a `Content-Security-Policy` beside each source that names the upstream or the production site.
  func localSources(in policy: String) -> String {
    policy.replacing(/https?:\/\/[^\s;,]+/) { match in
      let source = String(match.output)
      let local = local(source)
      return local == source ? source : "\(source) \(local)"
    }
  }

  /// Translates an origin, or an address that begins with one, in a field of the request (`Origin`, `Referer`) for the upstream.
  func upstream(_ address: String) -> String {
    guard let local = localOrigin, address.lowercased().hasPrefix(local) else { return address }
    let rest = address.dropFirst(local.count)
    guard rest.isEmpty || rest.hasPrefix("/") else { return address }
    return siteName.origin
      + (SiteAddresses.mapped(String(rest), { route.upstreamPath(of: $0) }) ?? String(rest))
  }

  /// Translates an origin in a field of the response (`Access-Control-Allow-Origin`) for the browser.
  func localOrigin(for origin: String) -> String {
    guard origin.contains("://"), let local = localOrigin, self.local(origin + "/") == local + "/" else {
      return origin
    }
    return local
  }

  /// The host of the site in production; the browser's if that is not known.
  var siteHost: String? { siteOrigin?.host ?? authority?.host }

  /// The URL that a request would have in production; nil if its target has no path.
  func siteURL(of target: RequestTarget) -> URL? {
    guard let path = target.path, let origin = siteOrigin?.description ?? localOrigin else { return nil }
    return URL(string: origin + path + (target.query.map { "?" + $0 } ?? ""))
  }

  /// Whether a cookie's `Domain` (RFC 6265, section 5.2.3) is another host of the site, so that a browser would refuse the cookie from
  /// `host`.
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

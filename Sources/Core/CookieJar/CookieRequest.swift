import Essentials

/// The parts of a request that decide which cookies apply.
struct CookieRequest {
  let host: CookieHost
  let path: String
  let isSecure: Bool

  /// Reads a URL; nil when its scheme is not `http`, `https`, `ws` or `wss`, or it has no host.
  init?(url: URL) {
    switch url.scheme?.lowercased() {
    case "https", "wss": isSecure = true
    case "http", "ws": isSecure = false
    default: return nil
    }
    guard let host = CookieHost(url: url) else { return nil }
    self.host = host
    path = CookiePath.path(of: url)
  }

  /// Whether the request carries a cookie whose domain already matches (RFC 6265bis, section 5.8.3).
  func carries(_ cookie: Cookie, context: CookieContext) -> Bool {
    CookiePath.matches(path, cookiePath: cookie.path) && (isSecure || !cookie.isSecure)
      && (context.isHTTP || !cookie.isHTTPOnly) && context.allowsSending(cookie.sameSite)
  }

  /// The cookie that a response to this request sets. Applies the rules of section 5.7 that do not depend on stored
  /// cookies.
  ///
  /// - Throws: The ``CookieRefusal`` of the first rule that the cookie breaks.
  func cookie(from header: SetCookie, context: CookieContext, now: Date) throws(CookieRefusal) -> Cookie {
    let domain = try cookieDomain(header.domain)
    let cookie = Cookie(
      name: header.name,
      value: header.value,
      domain: domain ?? host.name,
      isHostOnly: domain == nil,
      path: header.path ?? CookiePath.defaultPath(of: path),
      isSecure: header.isSecure,
      isHTTPOnly: header.isHTTPOnly,
      sameSite: header.sameSite,
      expires: Self.expiry(of: header, now: now)
    )
    if cookie.isSecure, !isSecure { throw .insecureConnection }
    if cookie.isHTTPOnly, !context.isHTTP { throw .httpOnly }
    if !context.allowsSetting(cookie.sameSite) { throw .crossSite }
    if cookie.sameSite == .none, !cookie.isSecure { throw .sameSiteNoneWithoutSecure }
    try Self.checkPrefix(of: cookie, hasPath: header.hasPath)
    return cookie
  }

  /// The domain from the attribute; nil for a host-only cookie.
  private func cookieDomain(_ attribute: String?) throws(CookieRefusal) -> String? {
    guard let attribute else { return nil }
    guard attribute.utf8.allSatisfy({ $0 < 0x80 }) else { throw .foreignDomain }
    if !host.isAddress, PublicSuffixList.contains(attribute) {
      guard attribute == host.name else { throw .publicSuffix }
      return nil
    }
    guard host.matches(domain: attribute) else { throw .foreignDomain }
    return attribute
  }

  /// The expiry date: Max-Age takes precedence over Expires, and 400 days is the maximum. Nil without either.
  private static func expiry(of header: SetCookie, now: Date) -> Date? {
    let latest = now.addingTimeInterval(Double(Cookie.maximumAge))
    if let maxAge = header.maxAge {
      return maxAge <= 0 ? .distantPast : now.addingTimeInterval(Double(min(maxAge, Cookie.maximumAge)))
    }
    return header.expires.map { min($0, latest) }
  }

  /// Checks that the attributes match the name's prefix (section 5.4). A nameless cookie's value must have no prefix
  /// either, since a server might read it as a name.
  private static func checkPrefix(of cookie: Cookie, hasPath: Bool) throws(CookieRefusal) {
    guard !cookie.name.isEmpty else {
      if CookiePrefix(cookie.value) != nil { throw .prefix }
      return
    }
    let isValid =
      switch CookiePrefix(cookie.name) {
      case .secure: cookie.isSecure
      case .http: cookie.isSecure && cookie.isHTTPOnly
      case .host: isOfHostAlone(cookie, hasPath: hasPath)
      case .hostHTTP: isOfHostAlone(cookie, hasPath: hasPath) && cookie.isHTTPOnly
      case nil: true
      }
    if !isValid { throw .prefix }
  }

  private static func isOfHostAlone(_ cookie: Cookie, hasPath: Bool) -> Bool {
    cookie.isSecure && cookie.isHostOnly && hasPath && cookie.path == "/"
  }
}

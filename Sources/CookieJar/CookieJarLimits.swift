/// How much a ``CookieJar`` holds. RFC 6265bis, section 6.1, asks for 50 cookies of each domain and 3000 in all at the least.
public struct CookieJarLimits: Sendable, Hashable {
  /// The most cookies with the same domain.
  public var cookiesPerDomain: Int
  /// The most cookies in all.
  public var cookies: Int

  /// Sets limits; as many for a domain as Chromium has, unless told otherwise.
  public init(cookiesPerDomain: Int = 180, cookies: Int = 3000) {
    self.cookiesPerDomain = max(cookiesPerDomain, 0)
    self.cookies = max(cookies, 0)
  }
}

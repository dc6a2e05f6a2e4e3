/// The outcome of one Set-Cookie header.
public enum CookieOutcome: Sendable, Hashable {
  /// The cookie is in the jar.
  case stored
  /// The cookie had already expired. A stored cookie with the same identity was removed.
  case expired
  /// The cookie was not stored. The jar did not change.
  case refused(CookieRefusal)
}

/// Why a cookie was not stored (RFC 6265bis, sections 5.6 and 5.7). Contains no cookie values.
public enum CookieRefusal: Error, Sendable, Hashable {
  /// The URL's scheme is not `http`, `https`, `ws` or `wss`, or it has no host.
  case unusableURL
  /// The header contains a control character other than a tab.
  case controlCharacter
  /// The cookie has neither a name nor a value.
  case empty
  /// Name and value together are longer than 4096 bytes.
  case tooLong
  /// The Domain attribute is not ASCII, or is neither the host nor a parent domain of it.
  case foreignDomain
  /// The Domain attribute is a public suffix, such as `co.uk`.
  case publicSuffix
  /// A response over a connection that is not secure tried to set a Secure cookie.
  case insecureConnection
  /// A script tried to set or replace an HttpOnly cookie.
  case httpOnly
  /// A response over a connection that is not secure tried to set a cookie that would hide a Secure one.
  case shadowsSecureCookie
  /// The response is cross-site, and the cookie is not `SameSite=None`.
  case crossSite
  /// The cookie is `SameSite=None` but not Secure.
  case sameSiteNoneWithoutSecure
  /// The name has a prefix such as `__Host-`, and the attributes do not match it.
  case prefix
  /// A cookie for ``CookieStorage/setCookie(_:)`` has a name, value, domain or path that is not valid in a header.
  case malformed
  /// The jar evicted the cookie at once: its domain is full of Secure cookies, and it is not Secure, or a limit is 0.
  case noRoom
}

extension CookieRefusal: CustomStringConvertible {
  /// The reason, in one sentence.
  public var description: String {
    switch self {
    case .unusableURL: "The URL's scheme is not http, https, ws or wss, or it has no host."
    case .controlCharacter: "The cookie contains a control character."
    case .empty: "The cookie has neither a name nor a value."
    case .tooLong: "The cookie's name and value together are longer than 4096 bytes."
    case .foreignDomain: "The cookie's Domain is neither the host that set it nor a parent domain of it."
    case .publicSuffix: "The cookie's Domain is a public suffix, under which anyone can register a name."
    case .insecureConnection: "The cookie is Secure, but the connection is not."
    case .httpOnly: "The cookie is HttpOnly, and a script tried to set it."
    case .shadowsSecureCookie: "A Secure cookie of the same name exists, and the connection is not secure."
    case .crossSite: "The response is cross-site, and the cookie is not SameSite=None."
    case .sameSiteNoneWithoutSecure: "The cookie is SameSite=None, but not Secure."
    case .prefix:
      "The cookie's name has a prefix such as __Host-, and its attributes do not match the prefix."
    case .malformed: "The cookie's name, value, domain or path is not valid in a header."
    case .noRoom: "The cookie jar is full."
    }
  }
}

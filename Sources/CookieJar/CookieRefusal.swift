/// Why a cookie was not stored (RFC 6265bis, sections 5.6 and 5.7). Never holds a value.
public enum CookieRefusal: Error, Sendable, Hashable {
  /// The URL is not one of HTTP or WebSocket, or has no host.
  case unusableURL
  /// A control character other than a tab.
  case controlCharacter
  /// Neither a name nor a value.
  case empty
  /// Name and value are longer than 4096 octets together.
  case tooLong
  /// The Domain attribute is not in ASCII, or the host does not belong to it.
  case foreignDomain
  /// The Domain attribute is a public suffix, such as `co.uk`.
  case publicSuffix
  /// A Secure cookie from a connection that is not secure.
  case insecureConnection
  /// An HttpOnly cookie from a script, or a script's cookie in the place of one.
  case httpOnly
  /// A cookie from an insecure connection that would hide a Secure one.
  case shadowsSecureCookie
  /// A cross-site response, and the cookie is not `SameSite=None`.
  case crossSite
  /// `SameSite=None` without Secure.
  case sameSiteNoneWithoutSecure
  /// What the name's prefix promises, such as `__Host-`, is not so.
  case prefix
  /// A cookie made by the host whose name, value, domain or path could not stand in a header.
  case malformed
  /// The jar is full of cookies that take precedence.
  case noRoom
}

extension CookieRefusal: CustomStringConvertible {
  /// The reason, for people.
  public var description: String {
    switch self {
    case .unusableURL: "The URL is not one of http, https, ws or wss, or it has no host."
    case .controlCharacter: "The cookie holds a control character."
    case .empty: "The cookie has neither a name nor a value."
    case .tooLong: "Name and value of the cookie are longer than 4096 octets together."
    case .foreignDomain: "The cookie's Domain is not the host that set it, nor a domain above that."
    case .publicSuffix: "The cookie's Domain is a public suffix, under which anyone may have a name."
    case .insecureConnection: "The cookie is Secure, but the connection is not."
    case .httpOnly: "The cookie is HttpOnly, and a script tried to set it."
    case .shadowsSecureCookie: "A Secure cookie of the same name exists, and the connection is not secure."
    case .crossSite: "The response is cross-site, and the cookie is not SameSite=None."
    case .sameSiteNoneWithoutSecure: "The cookie is SameSite=None, but not Secure."
    case .prefix:
      "The cookie's name begins with a prefix such as __Host-, and it does not have the attributes that this asks for."
    case .malformed: "The cookie's name, value, domain or path cannot stand in a header."
    case .noRoom: "The jar is full."
    }
  }
}

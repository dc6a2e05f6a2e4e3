public import Essentials

/// A ``Cookie`` without its value, for logs and people.
public struct CookieMetadata: Sendable, Hashable, Codable {
  /// The name; may be empty.
  public let name: String
  /// The size of the value, in bytes.
  public let valueByteCount: Int
  /// The host that gets the cookie.
  public let domain: String
  /// Whether only ``domain`` itself gets the cookie, and no subdomain of it.
  public let isHostOnly: Bool
  /// The cookie is sent to this path and the paths below it.
  public let path: String
  /// Whether the cookie is sent over secure connections only.
  public let isSecure: Bool
  /// Whether the cookie is hidden from scripts.
  public let isHTTPOnly: Bool
  /// Which cross-site requests carry the cookie.
  public let sameSite: SameSite
  /// When the cookie expires; nil for a session cookie.
  public let expires: Date?
  /// When the cookie was first stored.
  public let creationDate: Date
  /// When the cookie was last stored or sent.
  public let lastAccessDate: Date

  init(_ cookie: Cookie) {
    name = cookie.name
    valueByteCount = cookie.value.utf8.count
    domain = cookie.domain
    isHostOnly = cookie.isHostOnly
    path = cookie.path
    isSecure = cookie.isSecure
    isHTTPOnly = cookie.isHTTPOnly
    sameSite = cookie.sameSite
    expires = cookie.expires
    creationDate = cookie.creationDate
    lastAccessDate = cookie.lastAccessDate
  }
}

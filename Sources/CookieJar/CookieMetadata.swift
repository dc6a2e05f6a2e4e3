public import Foundation

/// Everything about a ``Cookie`` that may be shown: all but the value.
public struct CookieMetadata: Sendable, Hashable, Codable {
  /// The name; may be empty.
  public let name: String
  /// How many octets the value has.
  public let valueByteCount: Int
  /// The host that gets the cookie.
  public let domain: String
  /// Whether hosts below ``domain`` do not get the cookie.
  public let isHostOnly: Bool
  /// The path at and below which the cookie is sent.
  public let path: String
  /// Whether the cookie travels over secure connections only.
  public let isSecure: Bool
  /// Whether scripts do not see the cookie.
  public let isHTTPOnly: Bool
  /// Which cross-site requests carry the cookie.
  public let sameSite: SameSite
  /// When the cookie expires; nil for one that lasts as long as the session does.
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

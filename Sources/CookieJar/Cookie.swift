public import Foundation

/// A cookie of a ``CookieJar`` (RFC 6265bis, section 5.7). It prints without its value.
public struct Cookie: Sendable, Hashable, Codable {
  /// The most octets of name and value together.
  public static let maximumByteCount = 4096
  /// The most octets of an attribute's value.
  public static let maximumAttributeByteCount = 1024
  /// How far from now a cookie expires at the latest: 400 days, in seconds.
  public static let maximumAge = 400 * 86_400

  /// The name; may be empty.
  public let name: String
  /// The value: a secret, for all that the jar knows.
  public let value: String
  /// The host that gets the cookie, and, unless ``isHostOnly``, those below it; lower-case, without a leading dot.
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
  public internal(set) var expires: Date?
  /// When the cookie was first stored; replacing it does not change this.
  public internal(set) var creationDate: Date
  /// When the cookie was last stored or sent.
  public internal(set) var lastAccessDate: Date

  /// Creates a cookie for ``CookieJar/setCookie(_:)``, which sets the dates of creation and access.
  public init(
    name: String,
    value: String,
    domain: String,
    isHostOnly: Bool = true,
    path: String = "/",
    isSecure: Bool = false,
    isHTTPOnly: Bool = false,
    sameSite: SameSite = .unspecified,
    expires: Date? = nil
  ) {
    self.name = name
    self.value = value
    self.domain = domain
    self.isHostOnly = isHostOnly
    self.path = path
    self.isSecure = isSecure
    self.isHTTPOnly = isHTTPOnly
    self.sameSite = sameSite
    self.expires = expires
    creationDate = .distantPast
    lastAccessDate = .distantPast
  }

  /// Whether the cookie outlives the session.
  public var isPersistent: Bool { expires != nil }

  /// Everything but the value.
  public var metadata: CookieMetadata { CookieMetadata(self) }

  /// The cookie in a Cookie header: `name=value`, or the value alone when there is no name.
  var headerText: String { name.isEmpty ? value : "\(name)=\(value)" }

  /// Whether the two have the same name, domain, host-only flag and path: then one replaces the other.
  func hasSameIdentity(as other: Cookie) -> Bool {
    // Octets, not characters: to Swift's own comparison an accented letter equals its decomposed form.
    isHostOnly == other.isHostOnly && domain == other.domain && name.utf8.elementsEqual(other.name.utf8)
      && path.utf8.elementsEqual(other.path.utf8)
  }

  /// Whether the cookie's time is over.
  func isExpired(at now: Date) -> Bool { expires.map { $0 <= now } ?? false }
}

extension Cookie: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The name, domain and path; not the value.
  public var description: String { "Cookie(\(name), \(isHostOnly ? "" : ".")\(domain)\(path))" }
  /// As ``description``.
  public var debugDescription: String { description }
  /// Everything but the value, for whatever prints a value by its parts.
  public var customMirror: Mirror { Mirror(self, children: ["metadata": metadata]) }
}

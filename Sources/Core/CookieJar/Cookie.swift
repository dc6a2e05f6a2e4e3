public import Essentials

/// A cookie in a ``CookieStorage`` (RFC 6265bis, section 5.7). It prints without its value, which is a secret.
public struct Cookie: Sendable, Hashable, Codable {
  /// The largest size of name and value together, in bytes.
  public static let maximumByteCount = 4096
  /// The largest size of an attribute's value, in bytes.
  public static let maximumAttributeByteCount = 1024
  /// The longest lifetime of a cookie: 400 days, in seconds.
  public static let maximumAge = 400 * 86_400

  /// The name; may be empty.
  public let name: String
  /// The value. Treat it as a secret.
  public let value: String
  /// The host that gets the cookie and, unless ``isHostOnly``, its subdomains. In lower case, without a leading dot.
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
  public internal(set) var expires: Date?
  /// When the cookie was first stored. Replacing it does not change this.
  public internal(set) var creationDate: Date
  /// When the cookie was last stored or sent.
  public internal(set) var lastAccessDate: Date

  /// Creates a cookie for ``CookieStorage/setCookie(_:)``, which sets the dates of creation and access.
  ///
  /// - Parameters:
  ///   - name: The name; may be empty.
  ///   - value: The value.
  ///   - domain: The host, in lower case, without a leading dot.
  ///   - isHostOnly: Whether subdomains of the host do not get the cookie.
  ///   - path: The path, which begins with a slash.
  ///   - isSecure: Whether the cookie is sent over secure connections only.
  ///   - isHTTPOnly: Whether the cookie is hidden from scripts.
  ///   - sameSite: Which cross-site requests carry the cookie.
  ///   - expires: When the cookie expires; nil for a session cookie.
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

  /// Whether the cookie has an expiry date. If not, it is a session cookie.
  public var isPersistent: Bool { expires != nil }

  /// Everything but the value.
  public var metadata: CookieMetadata { CookieMetadata(self) }

  /// The cookie as a Cookie header has it: `name=value`, or only the value if the name is empty.
  var headerText: String { name.isEmpty ? value : "\(name)=\(value)" }

  /// Whether both have the same name, domain, host-only flag and path, so that one replaces the other.
  func hasSameIdentity(as other: Cookie) -> Bool {
    // Compares bytes, not characters: for Swift's `==`, an accented letter equals its decomposed form.
    isHostOnly == other.isHostOnly && domain == other.domain && name.utf8.elementsEqual(other.name.utf8)
      && path.utf8.elementsEqual(other.path.utf8)
  }

  /// Whether the cookie has expired.
  func isExpired(at now: Date) -> Bool { expires.map { $0 <= now } ?? false }
}

extension Cookie: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The name, domain and path; not the value.
  public var description: String { "Cookie(\(name), \(isHostOnly ? "" : ".")\(domain)\(path))" }
  /// As ``description``.
  public var debugDescription: String { description }
  /// Everything but the value, for `dump` and the like.
  public var customMirror: Mirror { Mirror(self, children: ["metadata": metadata]) }
}

/// Which cross-site requests carry a cookie (RFC 6265bis, section 5.6.7).
public enum SameSite: String, Sendable, Hashable, Codable {
  /// All of them. The cookie must be Secure.
  case none = "None"
  /// Top-level navigations with a safe method.
  case lax = "Lax"
  /// None of them.
  case strict = "Strict"
  /// The attribute is absent or unknown. Behaves as ``lax``.
  case unspecified = "Default"
}

extension Cookie {
  /// Checks a cookie that was not parsed from a Set-Cookie header: no part of it may end the cookie or the header field.
  func check() throws(CookieRefusal) {
    let texts = [name, value, domain, path]
    let semicolon = UInt8(ascii: ";")
    guard texts.allSatisfy({ !$0.utf8.contains { $0.isForbiddenControl || $0 == semicolon } }) else { throw .malformed }
    guard !name.utf8.contains(UInt8(ascii: "=")), path.utf8.first == UInt8(ascii: "/"),
      CookieHost(domain)?.name == domain
    else { throw .malformed }
    let count = name.utf8.count + value.utf8.count
    if count == 0 { throw .empty }
    if count > Self.maximumByteCount { throw .tooLong }
  }

  /// Whether a jar may restore this cookie from a snapshot: it is valid, has not expired, does not live longer than
  /// ``maximumAge``, and its domain is not a public suffix.
  func isRestorable(at now: Date) -> Bool {
    guard (try? check()) != nil, let expires, !isExpired(at: now) else { return false }
    return expires <= now.addingTimeInterval(Double(Self.maximumAge))
      && (isHostOnly || !PublicSuffixList.contains(domain))
  }
}

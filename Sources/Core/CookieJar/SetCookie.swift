public import Essentials

/// A parsed Set-Cookie header field (RFC 6265bis, section 5.6). ``CookieStorage`` decides whether to accept the cookie. Prints
/// without the value.
///
/// ```swift
/// let header = try SetCookie(parsing: "session=1; Path=/; Max-Age=60")
/// header.maxAge   // 60
/// ```
public struct SetCookie: Sendable, Hashable {
  /// The cookie's name; may be empty.
  public let name: String
  /// The Domain attribute in lower case, without a leading dot; nil when it is absent or empty.
  public private(set) var domain: String?
  /// The last valid Max-Age attribute, in seconds, clamped to the range of `Int`; nil when there is none.
  public private(set) var maxAge: Int?
  /// The last valid Expires attribute; nil when there is none.
  public private(set) var expires: Date?
  /// Whether there is a Secure attribute.
  public private(set) var isSecure = false
  /// Whether there is an HttpOnly attribute.
  public private(set) var isHTTPOnly = false
  /// The last SameSite attribute; ``SameSite/unspecified`` when there is none or its value is unknown.
  public private(set) var sameSite = SameSite.unspecified
  /// Whether there is a Path attribute, even if it is not valid.
  public private(set) var hasPath = false
  /// The Path attribute; nil when the request's default-path applies.
  public private(set) var path: String?

  let value: String

  /// Parses the value of a Set-Cookie header.
  ///
  /// - Throws: ``CookieRefusal/controlCharacter``, ``CookieRefusal/empty`` or ``CookieRefusal/tooLong``.
  public init(parsing header: String) throws(CookieRefusal) {
    let bytes = Array(header.utf8)
    if bytes.contains(where: \.isForbiddenControl) { throw .controlCharacter }
    let parts = bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    let (name, value) = Self.nameAndValue(of: parts.first ?? [])
    // Text without an equals sign is the value of a cookie without a name.
    let hasName = value != nil
    self.name = hasName ? String(decoding: name, as: UTF8.self) : ""
    self.value = String(decoding: value ?? name, as: UTF8.self)
    let count = self.name.utf8.count + self.value.utf8.count
    if count == 0 { throw .empty }
    if count > Cookie.maximumByteCount { throw .tooLong }
    for part in parts.dropFirst() {
      let (name, value) = Self.nameAndValue(of: part)
      take(attribute: name, value: value ?? [])
    }
  }

  /// The trimmed text before and after the first equals sign; the value is nil without an equals sign.
  private static func nameAndValue(of part: ArraySlice<UInt8>) -> (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>?) {
    guard let equals = part.firstIndex(of: UInt8(ascii: "=")) else { return (part.trimmingBlanks, nil) }
    return (part[..<equals].trimmingBlanks, part[(equals + 1)...].trimmingBlanks)
  }

  /// Reads an attribute. Ignores it if it is unknown or too long. Of attributes with the same name, the last one counts.
  private mutating func take(attribute name: ArraySlice<UInt8>, value: ArraySlice<UInt8>) {
    if value.count > Cookie.maximumAttributeByteCount { return }
    if name.equalsIgnoringCase("expires") {
      expires = CookieDate.parse(value) ?? expires
    } else if name.equalsIgnoringCase("max-age") {
      maxAge = Self.maxAge(value) ?? maxAge
    } else if name.equalsIgnoringCase("domain") {
      let domain = value.first == UInt8(ascii: ".") ? value.dropFirst() : value
      self.domain = domain.isEmpty ? nil : String(decoding: domain.map(\.asciiLowercased), as: UTF8.self)
    } else if name.equalsIgnoringCase("path") {
      hasPath = true
      path = value.first == UInt8(ascii: "/") ? String(decoding: value, as: UTF8.self) : nil
    } else if name.equalsIgnoringCase("secure") {
      isSecure = true
    } else if name.equalsIgnoringCase("httponly") {
      isHTTPOnly = true
    } else if name.equalsIgnoringCase("samesite") {
      sameSite = Self.sameSite(value)
    }
  }

  private static func maxAge(_ value: ArraySlice<UInt8>) -> Int? {
    let isNegative = value.first == UInt8(ascii: "-")
    let digits = isNegative ? value.dropFirst() : value
    guard !digits.isEmpty, digits.allSatisfy(\.isASCIIDigit) else { return nil }
    let number = digits.reduce(0) { number, digit in
      let (product, overflow) = number.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(Int(digit - UInt8(ascii: "0")))
      return overflow || carry ? Int.max : sum
    }
    return isNegative ? -number : number
  }

  private static func sameSite(_ value: ArraySlice<UInt8>) -> SameSite {
    if value.equalsIgnoringCase("none") { return .none }
    if value.equalsIgnoringCase("lax") { return .lax }
    return value.equalsIgnoringCase("strict") ? .strict : .unspecified
  }
}

extension SetCookie: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The cookie's name and attributes; not its value.
  public var description: String { "SetCookie(\(name))" }
  /// As ``description``.
  public var debugDescription: String { description }
  /// Only the name, so that `dump` does not print the value.
  public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}

/// A prefix of a cookie's name that requires certain attributes (RFC 6265bis, section 4.1.3).
///
/// The two with `Http` come from the RFC's successor (draft-ietf-httpbis-layered-cookies) and are in browsers already.
enum CookiePrefix {
  /// `__Secure-` requires Secure.
  case secure
  /// `__Host-` requires Secure, Path `/`, and no Domain.
  case host
  /// `__Http-` requires Secure and HttpOnly.
  case http
  /// `__Host-Http-` requires HttpOnly and what ``host`` requires.
  case hostHTTP

  /// Finds the prefix of a name, ignoring case; nil for a name without one.
  init?(_ name: String) {
    let name = name.utf8
    if name.startsIgnoringCase("__secure-") {
      self = .secure
    } else if name.startsIgnoringCase("__http-") {
      self = .http
    } else if name.startsIgnoringCase("__host-") {
      self = name.startsIgnoringCase("__host-http-") ? .hostHTTP : .host
    } else {
      return nil
    }
  }
}

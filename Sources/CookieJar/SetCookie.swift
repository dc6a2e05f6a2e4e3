public import Foundation

/// A Set-Cookie header, read as user agents read it (RFC 6265bis, section 5.6). Nothing is decided yet: ``CookieJar`` does that.
public struct SetCookie: Sendable, Hashable {
  /// The cookie's name; may be empty.
  public let name: String
  /// The Domain attribute without a leading dot, lower-case; nil when there is none, or an empty one.
  public private(set) var domain: String?
  /// The last Max-Age attribute, in seconds; what no `Int` holds is the largest or smallest there is.
  public private(set) var maxAge: Int?
  /// The last Expires attribute that is a date.
  public private(set) var expires: Date?
  /// Whether there is a Secure attribute.
  public private(set) var isSecure = false
  /// Whether there is an HttpOnly attribute.
  public private(set) var isHTTPOnly = false
  /// The SameSite attribute.
  public private(set) var sameSite = SameSite.unspecified
  /// Whether there is a Path attribute, a usable one or not.
  public private(set) var hasPath = false
  /// The Path attribute; nil when the default-path of the request takes its place.
  public private(set) var path: String?

  let value: String

  /// Reads the value of a Set-Cookie header field.
  public init(parsing header: String) throws(CookieRefusal) {
    let bytes = Array(header.utf8)
    if bytes.contains(where: \.isForbiddenControl) { throw .controlCharacter }
    let parts = bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    let (name, value) = Self.nameAndValue(of: parts.first ?? [])
    // Text without an equals sign is a value that has no name.
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

  /// The two sides of the first equals sign, without blanks around them; no value when there is no equals sign.
  private static func nameAndValue(of part: ArraySlice<UInt8>) -> (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>?) {
    guard let equals = part.firstIndex(of: UInt8(ascii: "=")) else { return (part.trimmingBlanks, nil) }
    return (part[..<equals].trimmingBlanks, part[(equals + 1)...].trimmingBlanks)
  }

  /// Takes in an attribute; unknown, unreadable and overlong ones are passed over. Of several of a kind the last counts.
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
  /// No parts, so that nothing that prints them prints the value.
  public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}

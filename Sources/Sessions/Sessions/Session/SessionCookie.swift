import BridgeRuntime
import Cryptography
import HTTP1
package import HTTPTypes

/// The cookie that identifies a browser's session. Scripts cannot read it.
///
/// If one Footbridge is a proxy in front of another, each has its own cookie, so that neither replaces the other's session. The server that
/// the browser connects to uses `footbridge_session`, the one behind it `footbridge_session_2`, and so on. The field `Via` (RFC 9110,
/// section 7.6.3) tells how many proxies are in front: each adds itself, and no script can set the field.
///
/// Under https, the name has the prefix `__Host-`. Cookies do not know ports, and a page under http can neither read nor replace a cookie
/// that is `Secure` (RFC 6265bis, section 5.7): with one name for both, each page under http would be in a new session.
package struct SessionCookie: Hashable, Sendable {
  /// The cookie of the server that the browser connects to.
  package static let usual = SessionCookie(baseName: "footbridge_session")
  /// The prefix of each proxy's name in `Via`.
  package static let proxyPrefix = "footbridge-"
  /// The prefix that browsers accept only for a cookie of this host, over https.
  private static let securePrefix = "__Host-"

  private let baseName: String
  private let plainName: [UInt8]
  private let secureName: [UInt8]

  private init(baseName: String) {
    self.baseName = baseName
    plainName = Array(baseName.utf8)
    secureName = Array((Self.securePrefix + baseName).utf8)
  }

  /// The cookie of the server that received a request with these fields.
  package init(in fields: HTTPFields) {
    guard fields.contains(.via) else {
      self = .usual
      return
    }
    let proxies = fields.tokens(of: .via).count { hop in
      hop.split(separator: " ").dropFirst().first?.hasPrefix(Self.proxyPrefix) ?? false
    }
    self = proxies == 0 ? .usual : SessionCookie(baseName: "\(Self.usual.baseName)_\(proxies + 1)")
  }

  /// The cookie's name under http or https.
  package func name(isSecure: Bool) -> String { isSecure ? Self.securePrefix + baseName : baseName }

  /// The value of a request's cookie; nil without the cookie, or if the value does not come from Footbridge.
  ///
  /// The cookie of the request's scheme decides. Without it, the other does: browsers send a cookie set under http also under https, and some
  /// send a `Secure` one to addresses of this machine.
  package static func value(in fields: HTTPFields, isSecure: Bool) -> String? {
    guard fields.contains(.cookie) else { return nil }
    let cookie = SessionCookie(in: fields)
    var other: String?
    for line in fields[values: .cookie] {
      for pair in line.utf8.split(separator: UInt8(ascii: ";")) {
        let pair = pair.drop { $0 == UInt8(ascii: " ") }
        guard let sign = pair.firstIndex(of: UInt8(ascii: "=")) else { continue }
        let isSecureName = pair[..<sign].elementsEqual(cookie.secureName)
        guard isSecureName || pair[..<sign].elementsEqual(cookie.plainName) else { continue }
        let value = String(Substring(pair[sign...].dropFirst()))
        guard isOurs(value) else { continue }
        if isSecureName == isSecure { return value }
        other = other ?? value
      }
    }
    return other
  }

  /// A `Cookie` field without this cookie and with the bytes of the others unchanged; nil if there are no others.
  package func removed(from field: HTTPField) -> HTTPField? {
    let pairs = field.valueBytes.split(separator: UInt8(ascii: ";"))
    let remaining = pairs.filter { !isNamed($0) }
    if remaining.count == pairs.count { return field }
    let value = Array(remaining.joined(separator: [UInt8(ascii: ";")])).drop { $0 == UInt8(ascii: " ") }
    return value.isEmpty ? nil : HTTPField(name: field.name, value: value)
  }

  /// Whether this `Set-Cookie` makes a browser send this cookie. Browsers send the value of a nameless cookie alone, which may look like a
  /// name and a value.
  package func isSet(by field: HTTPField) -> Bool {
    let pair = field.valueBytes.prefix { $0 != UInt8(ascii: ";") }.trimmingWhitespace
    return isNamed(pair) || (pair.first == UInt8(ascii: "=") && isNamed(pair.dropFirst()))
  }

  /// The field that puts a browser into a session.
  package func setCookie(_ value: String, isSecure: Bool) -> String {
    "\(name(isSecure: isSecure))=\(value); Path=/; HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
  }

  private func isNamed(_ pair: ArraySlice<UInt8>) -> Bool {
    guard let sign = pair.firstIndex(of: UInt8(ascii: "=")) else { return false }
    let name = pair[..<sign].trimmingWhitespace
    return name.elementsEqual(plainName) || name.elementsEqual(secureName)
  }

  private static func isOurs(_ value: String) -> Bool { Hexadecimal.isText(value, count: 32) }
}

import BridgeRuntime
import Cryptography
import HTTP1
package import HTTPTypes

/// The cookie that identifies a browser's session. Scripts cannot read it.
///
/// If one Footbridge is a proxy in front of another, each has its own cookie, so that neither replaces the other's session. The server that
/// the browser connects to uses `footbridge_session`, the one behind it `footbridge_session_2`, and so on. The field `Via` (RFC 9110,
/// section 7.6.3) tells how many proxies are in front: each adds itself, and no script can set the field.
package struct SessionCookie: Hashable, Sendable {
  /// The cookie of the server that the browser connects to.
  package static let usual = SessionCookie(name: "footbridge_session")
  /// The prefix of each proxy's name in `Via`.
  package static let proxyPrefix = "footbridge-"

  /// The cookie's name.
  package let name: String
  private let nameAndSign: [UInt8]

  private init(name: String) {
    self.name = name
    nameAndSign = Array("\(name)=".utf8)
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
    self = proxies == 0 ? .usual : SessionCookie(name: "\(Self.usual.name)_\(proxies + 1)")
  }

  /// The value of a request's cookie; nil without the cookie, or if the value does not come from Footbridge.
  package static func value(in fields: HTTPFields) -> String? {
    guard fields.contains(.cookie) else { return nil }
    let nameAndSign = SessionCookie(in: fields).nameAndSign
    for line in fields[values: .cookie] {
      for pair in line.utf8.split(separator: UInt8(ascii: ";")) {
        let cookie = pair.drop { $0 == UInt8(ascii: " ") }
        guard cookie.starts(with: nameAndSign) else { continue }
        let value = String(Substring(cookie.dropFirst(nameAndSign.count)))
        if isOurs(value) { return value }
      }
    }
    return nil
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

  /// The field that puts a browser into a session. A cookie set over TLS is sent only over TLS, and to addresses of this machine, which
  /// browsers consider equally secure.
  package func setCookie(_ value: String, isSecure: Bool) -> String {
    "\(name)=\(value); Path=/; HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
  }

  private func isNamed(_ pair: ArraySlice<UInt8>) -> Bool {
    guard let sign = pair.firstIndex(of: UInt8(ascii: "=")) else { return false }
    return pair[..<sign].trimmingWhitespace.elementsEqual(nameAndSign.dropLast())
  }

  private static func isOurs(_ value: String) -> Bool { Hexadecimal.isText(value, count: 32) }
}

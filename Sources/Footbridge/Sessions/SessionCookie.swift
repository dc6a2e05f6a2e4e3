import HTTPTypes

/// The cookie that says which session a browser is in. Scripts cannot read it.
enum SessionCookie {
  /// The cookie's name.
  static let name = "footbridge_session"

  /// The value of the cookie of a request; nil without the cookie, or when its value is not of our making.
  static func value(in fields: HTTPFields) -> String? {
    guard fields.contains(.cookie) else { return nil }
    for line in fields[values: .cookie] {
      for pair in line.utf8.split(separator: UInt8(ascii: ";")) {
        let cookie = pair.drop { $0 == UInt8(ascii: " ") }
        guard cookie.starts(with: nameAndSign) else { continue }
        let value = cookie.dropFirst(nameAndSign.count)
        if isOurs(value) { return String(Substring(value)) }
      }
    }
    return nil
  }

  /// A `Cookie` field without this cookie, the others' bytes as they were; nil when there is no other.
  static func removed(from field: HTTPField) -> HTTPField? {
    let pairs = field.valueBytes.split(separator: UInt8(ascii: ";"))
    let kept = pairs.filter { pair in
      !pair.drop { $0 == UInt8(ascii: " ") }.starts(with: nameAndSign)
    }
    if kept.count == pairs.count { return field }
    let value = Array(kept.joined(separator: [UInt8(ascii: ";")])).drop { $0 == UInt8(ascii: " ") }
    return value.isEmpty ? nil : HTTPField(name: field.name, value: value)
  }

  /// The field that puts a browser into a session. What is set on TLS goes back on TLS alone, and to addresses of this machine, which
  /// browsers hold to be as safe.
  static func setCookie(_ value: String, isSecure: Bool) -> String {
    "\(name)=\(value); Path=/; HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
  }

  private static let nameAndSign = Array("\(name)=".utf8)

  private static func isOurs(_ value: Substring.UTF8View) -> Bool {
    value.count == 32 && value.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
  }
}

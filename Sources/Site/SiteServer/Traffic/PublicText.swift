import BridgeCore
import BridgeServer
import HTTP1
import HTTPTypes
import Sessions

/// Removes secrets from parts of requests and responses, so that anybody may read them. The names of values tell which are secret.
package enum PublicText {
  /// The text that replaces a secret in an address or form.
  static let mark = "left-out"

  /// Secret names besides those that the journal knows, in lower case and without dashes and underscores.
  private static let secretNames: Set<String> = [
    "accesskey", "accountkey", "apitoken", "assertion", "auth", "authcode", "authorizationcode", "clientassertion",
    "code", "codeverifier", "credential", "credentials", "devicecode", "jwt", "key", "mfacode", "oauthverifier",
    "otp", "otpcode", "pass", "passcode", "passphrase", "passwd", "pin", "privatekey", "pwd", "samlrequest",
    "samlresponse", "secretkey", "session", "sessionid", "sid", "sig", "signature", "ticket", "totp", "usercode",
    "verifier", "xamzcredential", "xamzsignature", "xapikey", "xgoogcredential", "xgoogsignature",
  ]
  /// Field names like these whose values are not secret.
  private static let publicFields: Set<String> = ["acceptsignature", "signature", "signatureinput"]

  /// Whether the value of this name is secret.
  static func isSecret(_ name: some StringProtocol) -> Bool {
    let plain = JournalMarks.plainName(String(name))
    return secretNames.contains(plain) || JournalMarks.isUsualSecret(plain)
  }

  /// Whether a field's value is secret.
  static func isSecret(_ name: HTTPField.Name) -> Bool {
    let plain = JournalMarks.plainName(name.canonicalName)
    return !publicFields.contains(plain) && isSecret(name.canonicalName)
  }

  /// An address, or the target of a request, without secrets.
  package static func address(_ address: String) -> String { Self.address(address, depth: 0) }

  /// How often an address may stand, encoded, in a parameter of another one.
  private static let depthLimit = 4

  private static func address(_ address: String, depth: Int) -> String {
    guard let start = address.firstIndex(where: { $0 == "?" || $0 == "#" }) else {
      return depth > 0 ? encoded(address, depth: depth) ?? ownPath(address) : ownPath(address)
    }
    let path = ownPath(String(address[..<start]))
    let rest = address[start...]
    guard rest.contains("=") else { return path + rest }
    var result = path
    var item = Substring()
    for character in rest {
      if "?#&;".contains(character) {
        result += parameter(item, depth: depth) + String(character)
        item = ""
      } else {
        item.append(character)
      }
    }
    return result + parameter(item, depth: depth)
  }

  /// A form (`application/x-www-form-urlencoded`) without secrets.
  static func form(_ text: String) -> String {
    text.split(separator: "&", omittingEmptySubsequences: false).map { parameter($0, depth: 0) }.joined(separator: "&")
  }

  /// A value of JSON without secrets; nil if it has none.
  static func json(_ value: JSONValue) -> JSONValue? {
    switch value {
    case .object(let members):
      var changed = members
      var hasChanged = false
      for (name, member) in members {
        let isText = member.stringValue != nil
        guard let member = isText && isSecret(name) ? .string(mark) : json(member) else { continue }
        changed[name] = member
        hasChanged = true
      }
      return hasChanged ? .object(changed) : nil
    case .array(let elements):
      let changed = elements.map { json($0) }
      guard changed.contains(where: { $0 != nil }) else { return nil }
      return .array(zip(elements, changed).map { $1 ?? $0 })
    case .string(let text):
      guard text.hasPrefix("/") || text.contains("://") else { return nil }
      let changed = address(text)
      return changed == text ? nil : .string(changed)
    case .number, .bool, .null: return nil
    }
  }

  private static func parameter(_ item: Substring, depth: Int) -> String {
    guard let sign = item.firstIndex(of: "=") else { return String(item) }
    let name = PercentEncoding.decode(String(item[..<sign])) ?? String(item[..<sign])
    if hasSecretWord(name) { return item[...sign] + mark }
    return encoded(String(item[item.index(after: sign)...]), depth: depth).map { item[...sign] + $0 } ?? String(item)
  }

  /// An encoded text without secrets: an address with parameters of its own, or JSON. Nil if it has none.
  private static func encoded(_ text: String, depth: Int) -> String? {
    guard text.contains("%"), let decoded = PercentEncoding.decode(text), decoded != text else { return nil }
    if decoded.hasPrefix("{") || decoded.hasPrefix("["), let value = try? JSONValue(parsing: Array(decoded.utf8)) {
      return json(value).map { PercentEncoding.encodeQueryItem($0.jsonText) }
    }
    guard decoded.contains("=") || decoded.contains("%") else { return nil }
    guard depth < depthLimit else { return mark }
    let changed = address(decoded, depth: depth + 1)
    return changed == decoded ? nil : PercentEncoding.encodeQueryItem(changed)
  }

  /// Whether a part of a parameter's name is secret, as in `user[password]`, `token[]`, or a name that cannot be decoded.
  private static func hasSecretWord(_ name: String) -> Bool {
    name.split { "[]. +%".contains($0) || ($0.asciiValue ?? 0x7F) < 0x20 }.contains { isSecret($0) }
  }

  /// A path of our own may have a secret as its last part.
  private static func ownPath(_ path: String) -> String {
    guard let range = path.ranges(of: OwnPath.entry).first else { return path }
    return path[..<range.upperBound] + mark
  }
}

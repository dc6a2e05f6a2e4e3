import BridgeRuntime
import Cryptography
import Essentials
import HTTPTypes

/// The credentials of a browser at its proxy (`Proxy-Authorization`, RFC 9110, section 11.7.2, with the scheme of RFC 7617).
struct ProxyCredentials: Hashable, Sendable {
  let user: String
  let password: String

  /// Reads the credentials of a request; nil if it has none, or malformed ones.
  init?(_ fields: HTTPFields) {
    let values = fields[values: .proxyAuthorization]
    guard values.count == 1 else { return nil }
    let parts = values[0].split(separator: " ", omittingEmptySubsequences: true)
    guard parts.count == 2, parts[0].lowercased() == "basic", let bytes = Data(base64Encoded: String(parts[1])) else {
      return nil
    }
    let text = String(decoding: bytes, as: UTF8.self)
    guard let colon = text.firstIndex(of: ":") else { return nil }
    user = String(text[..<colon])
    password = String(text[text.index(after: colon)...])
  }

  /// The cookie value of the session that the credentials name. The user's name is this value itself, or any other name: all browsers with
  /// the same credentials then share a session. Nil without a name: each site then has a session by cookie.
  var cookieValue: String? {
    if user.isEmpty { return nil }
    if Hexadecimal.isText(user, count: 32) { return user }
    return Hexadecimal.text(Array(SHA256.hash("footbridge proxy session \(user):\(password)").prefix(16)))
  }
}

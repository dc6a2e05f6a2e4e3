import BridgeRuntime
import Cryptography

/// The key of a session in the process and the store: the hash of its cookie's value. Only the browser keeps the value itself.
package struct SessionKey: Sendable, Hashable {
  /// 64 hexadecimal digits.
  let rawValue: String

  /// The key of the session whose cookie has this value.
  package init(cookieValue: String) {
    rawValue = Hexadecimal.text(SHA256.hash("footbridge session \(cookieValue)"))
  }

  /// A key that was created before.
  init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The session's id in the control API and the log. It does not give access to the session.
  package var id: String { String(Substring(rawValue.utf8.prefix(Self.idLength))) }

  /// The id of the session's device, the same at each launch. The session's cookie cannot be derived from it.
  var deviceID: String {
    Hexadecimal.text(Array(SHA256.hash("footbridge device \(id)").prefix(16)))
  }

  /// The number of digits of an id.
  static let idLength = 16

  /// Whether a text could be an id.
  static func isID(_ text: String) -> Bool {
    text.utf8.count == idLength && text.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
  }
}

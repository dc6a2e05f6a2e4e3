import BridgeRuntime
import Cryptography

/// The key of a session in the process and the store: the hash of its cookie's value. Only the browser keeps the value itself.
package struct SessionKey: Sendable, Hashable {
  /// 64 hexadecimal digits.
  package let rawValue: String

  /// The key of the session whose cookie has this value.
  package init(cookieValue: String) {
    rawValue = Hexadecimal.text(SHA256.hash("footbridge session \(cookieValue)"))
  }

  /// Creates a key from its raw value.
  package init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The session's id in the control API and the log. It does not give access to the session.
  package var id: String { String(Substring(rawValue.utf8.prefix(Self.idLength))) }

  /// The id of the session's device, the same at each launch. The session's cookie cannot be derived from it.
  var deviceID: String {
    Hexadecimal.text(Array(SHA256.hash("footbridge device \(id)").prefix(16)))
  }

  /// The number of digits of an id.
  package static let idLength = 16

  /// Whether a text could be an id.
  package static func isID(_ text: String) -> Bool {
    Hexadecimal.isText(text, count: idLength)
  }
}

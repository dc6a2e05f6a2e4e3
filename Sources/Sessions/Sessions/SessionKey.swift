import BridgeRuntime
import Cryptography

/// What a session is known by, in the process and in the store: the hash of its cookie's value, so that nobody but the browser keeps the
/// value itself.
package struct SessionKey: Sendable, Hashable {
  /// 64 hexadecimal digits.
  let rawValue: String

  /// The key of the session whose cookie has this value.
  package init(cookieValue: String) {
    rawValue = Hexadecimal.text(SHA256.hash("footbridge session \(cookieValue)"))
  }

  /// A key that was made before.
  init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The session's id: what the control API and the log call it. Whoever knows it is not in the session.
  package var id: String { String(Substring(rawValue.utf8.prefix(Self.idLength))) }

  /// How many digits an id has.
  static let idLength = 16

  /// Whether a text could be an id.
  static func isID(_ text: String) -> Bool {
    text.utf8.count == idLength && text.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
  }
}

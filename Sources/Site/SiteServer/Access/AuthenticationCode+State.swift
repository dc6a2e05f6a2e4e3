package import Cryptography
import Essentials
package import Sessions

extension AuthenticationCode {
  /// The code with the key in a file of the state directory, 32 bytes, which the first start makes. Without a state directory, the key is new
  /// at each start.
  ///
  /// - Throws: ``StateError/unusable(_:reason:)``.
  package convenience init(state: (any StateStorage)?, fileName: String) throws {
    guard let state else {
      self.init(key: Self.makeKey())
      return
    }
    let bytes = try state.read(fileName, orCreate: Self.makeKey())
    guard bytes.count == Self.keyByteCount else {
      throw StateError.unusable(
        state.place(of: fileName),
        reason: "It is not a key of \(Self.keyByteCount) bytes. Delete it, and the server makes a new one.")
    }
    self.init(key: Array(bytes))
  }
}

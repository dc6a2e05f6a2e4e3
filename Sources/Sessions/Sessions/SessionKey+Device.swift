import BridgeRuntime
import Cryptography

extension SessionKey {
  /// The id of the session's device, the same at each launch. The session's cookie cannot be derived from it.
  var deviceID: String {
    Hexadecimal.text(Array(SHA256.hash("footbridge device \(id)").prefix(16)))
  }
}

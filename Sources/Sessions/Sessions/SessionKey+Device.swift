import BridgeRuntime
import Cryptography

extension SessionKey {
  /// The id of the session's device: the same at each launch. Nobody finds the session's cookie from it.
  var deviceID: String {
    Hexadecimal.text(Array(SHA256.hash("footbridge device \(id)").prefix(16)))
  }
}

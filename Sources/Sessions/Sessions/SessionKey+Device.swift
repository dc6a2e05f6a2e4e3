import BridgeRuntime
import Crypto

extension SessionKey {
  /// The id of the session's device: the same at each launch. Nobody finds the session's cookie from it.
  var deviceID: String {
    let digest = SHA256.hash(data: Array("footbridge device \(id)".utf8))
    return Hexadecimal.text(digest.withUnsafeBytes { Array($0.prefix(16)) })
  }
}

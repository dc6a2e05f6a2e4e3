import BridgeRuntime
import Crypto
import Foundation

extension SessionKey {
  /// The id of the session's device: the same at each launch. Nobody finds the session's cookie from it.
  var deviceID: String {
    let digest = SHA256.hash(data: Data("footbridge device \(id)".utf8))
    return Hexadecimal.text(Array(digest.prefix(16)))
  }
}

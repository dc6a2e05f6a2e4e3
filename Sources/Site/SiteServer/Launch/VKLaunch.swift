import BridgeCore
import BridgeRuntime
package import BridgeServer
import Cryptography
package import Sessions

/// The launch parameters of a VK Mini App, signed as VKCOM/vk-apps-launch-params (32ca3b7) verifies them.
package struct VKLaunch: Sendable {
  private let secretKey: Secret
  private let parameters: [String: String]

  /// Reads the protected key of the app, and parameters whose names begin with `vk_`.
  package init(_ node: InputNode) throws(OptionError) {
    let members = try node.section(["secretKey", "parameters"])
    guard let key = members["secretKey"] else { throw node.expected("launch data with secretKey") }
    secretKey = Secret(try key.text())
    var parameters = [
      "vk_is_app_user": "1", "vk_are_notifications_enabled": "0", "vk_language": "en", "vk_platform": "mobile_iphone",
      "vk_ref": "other",
    ]
    for (name, value) in try members["parameters"]?.members() ?? [] {
      guard name.wholeMatch(of: /vk_[a-z_]{1,60}/) != nil else {
        throw value.expected("left out: the names of VK's parameters begin with vk_")
      }
      parameters[name] = try value.writtenText()
    }
    self.parameters = parameters
  }

  /// The signed parameters: `vk_app_id=…&vk_ts=…&sign=…`.
  func query(at now: BridgeInstant) -> String {
    var parameters = parameters
    parameters["vk_ts"] = parameters["vk_ts"] ?? "\(SignedLaunch.seconds(now))"
    return Self.signed(parameters, secretKey)
  }

  /// The parameters as a query with their `sign`.
  static func signed(_ parameters: [String: String], _ secretKey: Secret) -> String {
    let sorted = parameters.sorted { $0.key < $1.key }
    let text = sorted.map { "\($0.key)=\(SignedLaunch.escaped($0.value))" }.joined(separator: "&")
    let code = AuthenticationCode(key: Array(secretKey.reveal().utf8)).code(of: Array(text.utf8))
    return "\(text)&sign=\(Base64URL.encode(code))"
  }
}

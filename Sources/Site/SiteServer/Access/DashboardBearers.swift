import BridgeRuntime
import Cryptography
package import Sessions

/// The bearer tokens of the dashboard's tabs. A bearer contains the time of its issue, and an authentication code (HMAC, RFC 2104) over it. So
/// the server stores none, and with a state directory it recognizes the tabs of its last run.
package struct DashboardBearers: Sendable {
  /// How long a bearer is valid.
  static let lifetime = Duration.seconds(7 * 86_400)
  /// The file in the state directory with the key, 32 bytes.
  static let keyFileName = "dashboard.key"

  private let authentication: AuthenticationCode

  /// - Parameter state: Where the key is; nil for a new key.
  /// - Throws: ``StateError/unusable(_:reason:)``.
  package init(state: (any StateStorage)?) throws {
    authentication = try AuthenticationCode(state: state, fileName: Self.keyFileName)
  }

  /// Bearers with a new key.
  package init() { authentication = AuthenticationCode(key: AuthenticationCode.makeKey()) }

  /// Issues a bearer.
  func issue(at now: BridgeInstant) -> Secret {
    let text = "\(BridgeRandom().token()) \(Int(now.millisecondsSinceEpoch))"
    let code = authentication.code(of: Array(text.utf8))
    return Secret(Base64URL.encode(Array(text.utf8)) + "." + Base64URL.encode(code))
  }

  /// Whether this server has issued a bearer, and it is not too old.
  func isValid(_ bearer: String, at now: BridgeInstant) -> Bool {
    let halves = bearer.split(separator: ".", omittingEmptySubsequences: false)
    guard halves.count == 2, let text = Base64URL.decode(halves[0]), let code = Base64URL.decode(halves[1]),
      authentication.isCode(code, of: text),
      let time = String(decoding: text, as: UTF8.self).split(separator: " ").last.flatMap({ Double($0) })
    else { return false }
    return BridgeInstant(millisecondsSinceEpoch: time).duration(to: now) < Self.lifetime
  }
}

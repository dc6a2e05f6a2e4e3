import BridgeCore
import BridgeRuntime
package import BridgeServer
import Cryptography
package import Sessions

/// The ID token of a LIFF app: a JSON Web Token (RFC 7519). LINE signs those of LIFF with a key of its own (ES256), and those of web logins with
/// the channel's secret (HS256): developers.line.biz, "Get profile information from ID tokens".
package struct LINELaunch: Sendable {
  /// What signs the tokens.
  private enum Signer {
    case privateKey(SigningKey)
    case channelSecret(Secret)
  }

  private let channelID: String
  private let signer: Signer
  private let user: [String: JSONValue]

  /// The lifetime of a token, in seconds: an hour.
  private static let lifetime = 3600

  /// Reads the channel, the key, and the claims about the user.
  package init(_ node: InputNode) throws(OptionError) {
    let members = try node.section(["channelId", "channelSecret", "privateKey", "user"])
    guard let channel = members["channelId"] else { throw node.expected("launch data with channelId") }
    switch (members["channelSecret"], members["privateKey"]) {
    case (let secret?, nil): signer = .channelSecret(Secret(try secret.text()))
    case (nil, let key?):
      guard let key = SigningKey(pem: Array(try key.text().utf8)) else {
        throw key.expected("a P-256 private key in PEM form")
      }
      signer = .privateKey(key)
    default: throw node.expected("launch data with exactly one of: channelSecret, privateKey")
    }
    channelID = try channel.text()
    user = try members["user"]?.jsonMembers() ?? ["sub": "U00000000000000000000000000000001"]
  }

  /// A new token.
  func idToken(at now: BridgeInstant) -> String {
    let seconds = SignedLaunch.seconds(now)
    let claims: [String: JSONValue] = [
      "iss": "https://access.line.me", "aud": .string(channelID), "iat": .number(Double(seconds)),
      "exp": .number(Double(seconds + Self.lifetime)),
    ]
    let payload = JSONValue.object(claims.merging(user) { claim, _ in claim })
    switch signer {
    case .privateKey(let key): return key.signed(payload)
    case .channelSecret(let secret):
      let code = AuthenticationCode(key: Array(secret.reveal().utf8))
      return CompactJWS.text(["alg": "HS256", "typ": "JWT"], payload) { code.code(of: $0) }
    }
  }
}

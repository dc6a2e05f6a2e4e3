import BridgeCore
import BridgeRuntime
package import BridgeServer
import Cryptography
package import Sessions

/// The ID token of a LIFF app: a JSON Web Token (RFC 7519), signed with the channel's secret as LINE Login does it (HS256).
package struct LINELaunch: Sendable {
  private let channelID: String
  private let channelSecret: Secret
  private let user: [String: JSONValue]

  /// The lifetime of a token, in seconds: an hour.
  private static let lifetime = 3600

  /// Reads the channel, and the claims about the user.
  package init(_ node: InputNode) throws(OptionError) {
    let members = try node.section(["channelId", "channelSecret", "user"])
    guard let channel = members["channelId"], let secret = members["channelSecret"] else {
      throw node.expected("launch data with channelId and channelSecret")
    }
    channelID = try channel.text()
    channelSecret = Secret(try secret.text())
    user = try members["user"]?.jsonMembers() ?? ["sub": "U00000000000000000000000000000001"]
  }

  /// A new token.
  func idToken(at now: BridgeInstant) -> String {
    let seconds = SignedLaunch.seconds(now)
    let claims: [String: JSONValue] = [
      "iss": "https://access.line.me", "aud": .string(channelID), "iat": .number(Double(seconds)),
      "exp": .number(Double(seconds + Self.lifetime)),
    ]
    let header: JSONValue = ["alg": "HS256", "typ": "JWT"]
    let payload = JSONValue.object(claims.merging(user) { claim, _ in claim })
    let text = [header, payload].map { Base64URL.encode(Array($0.jsonText.utf8)) }.joined(separator: ".")
    let code = AuthenticationCode(key: Array(channelSecret.reveal().utf8)).code(of: Array(text.utf8))
    return "\(text).\(Base64URL.encode(code))"
  }
}

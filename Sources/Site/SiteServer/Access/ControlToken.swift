package import BridgeRuntime
import Cryptography
import Essentials
package import HTTPTypes

/// The bearer token of the control API (RFC 6750).
package struct ControlToken: Sendable {
  /// The token.
  package let secret: Secret
  private let hash: [UInt8]

  package init(_ secret: Secret) {
    self.secret = secret
    hash = SHA256.hash(secret.reveal())
  }

  /// A random token. It does not depend on the server's seed.
  package static func random() -> ControlToken { ControlToken(Secret(BridgeRandom().token())) }

  /// Whether a text is a valid bearer token (RFC 6750, section 2.1).
  package static func isWellFormed(_ text: String) -> Bool {
    text.wholeMatch(of: /[A-Za-z0-9._~+\/-]+=*/) != nil
  }

  /// Whether a request has the token. Takes the same time for every wrong token.
  package func authorizes(_ fields: HTTPFields) -> Bool {
    guard let token = Self.bearer(in: fields) else { return false }
    return areEqualInConstantTime(SHA256.hash(token), hash)
  }

  /// The bearer token of a request; nil if it has none, or several.
  package static func bearer(in fields: HTTPFields) -> String? {
    let values = fields[values: .authorization]
    guard values.count == 1 else { return nil }
    let parts = values[0].split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
    return String(parts[1])
  }
}

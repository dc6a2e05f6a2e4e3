/// The reasons to refuse a merchant's token. The status is always 401.
enum MerchantTokenError: Error, Hashable, CustomStringConvertible {
  /// There is no `Authorization: Bearer` field, or more than one.
  case missing
  /// The token is not a JWT.
  case malformed
  /// `alg` is not HS256.
  case algorithm
  /// `kid` is not the merchant's.
  case keyID
  /// The merchant's secret has not signed it.
  case signature
  /// `iss` is not `onside`.
  case issuer
  /// `aud` is not `onside`.
  case audience
  /// `sub` is missing.
  case subject
  /// `exp` or `nbf` is missing, or they are more than 30 seconds apart.
  case window
  /// `nbf` is in the future.
  case notYetValid
  /// `exp` has passed.
  case expired
  /// `jti` is missing.
  case tokenID
  /// `jti` was used before.
  case replayed

  /// One sentence for the merchant's developer, with nothing from the token.
  var description: String {
    switch self {
    case .missing: "Send one Authorization field: Bearer and a JWT."
    case .malformed: "The token is not a JWT in compact form."
    case .algorithm: "The token's alg must be HS256."
    case .keyID: "The token's kid must be the Secret Key ID."
    case .signature: "The token's signature is wrong. Sign it with the Merchant Secret."
    case .issuer: "The token's iss must be onside."
    case .audience: "The token's aud must be onside."
    case .subject: "The token's sub must be the Merchant ID."
    case .window: "The token's exp must be after its nbf, by at most 30 seconds."
    case .notYetValid: "The token's nbf is in the future. Compare the clocks."
    case .expired: "The token's exp has passed. Create a token for each request."
    case .tokenID: "The token's jti must be a text of 1 to 256 bytes."
    case .replayed: "The token's jti was used before. Create a token for each request."
    }
  }
}

/// The error codes of a token endpoint (RFC 6749, section 5.2).
public enum OAuthErrorCode: String, Sendable, Hashable {
  /// The request lacks something, or has it twice.
  case invalidRequest = "invalid_request"
  /// The client is unknown or did not prove who it is.
  case invalidClient = "invalid_client"
  /// The refresh token is invalid, expired or revoked.
  case invalidGrant = "invalid_grant"
  /// The client may not use refresh tokens.
  case unauthorizedClient = "unauthorized_client"
  /// The endpoint does not know refresh tokens.
  case unsupportedGrantType = "unsupported_grant_type"
  /// The scope is unknown, or wider than it was.
  case invalidScope = "invalid_scope"
  /// A code that the RFC does not have. Its text is not kept: it might hold anything.
  case other = "an error"
}

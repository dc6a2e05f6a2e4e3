/// The error codes of a token endpoint (RFC 6749, section 5.2).
public enum OAuthErrorCode: String, Sendable, Hashable {
  /// The request lacks a parameter or repeats one.
  case invalidRequest = "invalid_request"
  /// The client is unknown or failed to authenticate.
  case invalidClient = "invalid_client"
  /// The refresh token is invalid, expired or revoked.
  case invalidGrant = "invalid_grant"
  /// The client may not use refresh tokens.
  case unauthorizedClient = "unauthorized_client"
  /// The endpoint does not support refresh tokens.
  case unsupportedGrantType = "unsupported_grant_type"
  /// The scope is unknown, or wider than the granted one.
  case invalidScope = "invalid_scope"
  /// A code that the RFC does not define. Its text is discarded, since it may contain anything.
  case other = "an error"
}

public import BridgeRuntime

/// What a client shows to a token endpoint.
public struct OAuthCredentials: Sendable, Hashable {
  /// The client's identifier; nil for an endpoint that wants none.
  public var clientID: String?
  /// The client's password, sent in the body (RFC 6749, section 2.3.1); nil for a public client.
  public var clientSecret: Secret?
  /// The refresh token to begin with.
  public var refreshToken: Secret

  /// Creates credentials.
  public init(refreshToken: Secret, clientID: String? = nil, clientSecret: Secret? = nil) {
    self.refreshToken = refreshToken
    self.clientID = clientID
    self.clientSecret = clientSecret
  }
}

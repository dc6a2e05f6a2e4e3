import BridgeCore
public import BridgeRuntime

/// Sends requests to a token endpoint. An implementation knows the URL and speaks HTTP.
public protocol OAuthTokenEndpoint: Sendable {
  /// Posts a form as `application/x-www-form-urlencoded`.
  ///
  /// - Parameter form: The names and values, in order.
  /// - Returns: The status and body of the answer, whatever the status.
  /// - Throws: Any error when there is no answer. Its text is discarded, since it may contain secrets.
  func post(form: [(String, String)]) async throws -> (status: Int, body: [UInt8])
}

/// The credentials of a client at a token endpoint.
public struct OAuthCredentials: Sendable, Hashable {
  /// The client's identifier; nil for an endpoint that needs none.
  public var clientID: String?
  /// The client's password, sent in the body (RFC 6749, section 2.3.1); nil for a public client.
  public var clientSecret: Secret?
  /// The first refresh token.
  public var refreshToken: Secret

  /// Creates credentials.
  ///
  /// - Parameters:
  ///   - refreshToken: The first refresh token.
  ///   - clientID: The client's identifier.
  ///   - clientSecret: The client's password.
  public init(refreshToken: Secret, clientID: String? = nil, clientSecret: Secret? = nil) {
    self.refreshToken = refreshToken
    self.clientID = clientID
    self.clientSecret = clientSecret
  }
}

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

/// The answer of a token endpoint (RFC 6749, sections 5.1 and 5.2).
struct OAuthTokenResponse {
  /// The largest accepted answer, in bytes.
  private static let maximumByteCount = 1 << 20
  /// The longest accepted lifetime: ten years, in seconds.
  private static let maximumLifetime = 10.0 * 365 * 86_400

  let token: AccessToken
  /// The new refresh token; nil when the old one stays valid.
  let refreshToken: Secret?

  init(status: Int, body: [UInt8], receivedAt now: BridgeInstant) throws(TokenError) {
    if status >= 500 || status == 429 { throw .unreachable }
    guard body.count <= Self.maximumByteCount, let members = (try? JSONValue(parsing: body))?.objectValue else {
      throw .invalidResponse
    }
    guard status == 200 else {
      guard let code = members["error"]?.stringValue else { throw .invalidResponse }
      throw .refused(OAuthErrorCode(rawValue: code) ?? .other)
    }
    guard let text = members["access_token"]?.stringValue, members["token_type"]?.stringValue?.lowercased() == "bearer"
    else { throw .invalidResponse }
    // Without expires_in, the token is used until a caller asks for a new one.
    let lifetime = members["expires_in"]?.numberValue.map { Duration.seconds(min(max($0, 0), Self.maximumLifetime)) }
    token = try AccessToken(text, lifetime: lifetime, issuedAt: now)
    refreshToken = members["refresh_token"]?.stringValue.flatMap { $0.isEmpty ? nil : Secret($0) }
  }
}

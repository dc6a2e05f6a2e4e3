import BridgeCore
import BridgeRuntime

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

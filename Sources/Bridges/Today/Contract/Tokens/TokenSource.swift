public import BridgeCore

/// Issues access tokens. ``TokenStore`` makes one call at a time, except that a sign-out and a sign-in during a call may
/// start a second one.
public protocol TokenSource: Sendable {
  /// Gets a new token. Runs off the bridge's actor. It is never cancelled, since the exchange may have used up a
  /// refresh token.
  ///
  /// - Throws: ``TokenError`` if there is no token.
  func refresh() async throws(TokenError) -> AccessToken

  /// Gets a new token without waiting. Nil, the default, if the source must wait for its tokens.
  func token() -> AccessToken?
}

/// Why there is no token. The page gets the description as the message of a rejection, so it contains no secrets.
public enum TokenError: Error, Sendable, Hashable {
  /// Nobody is signed in, or someone signed out during the refresh.
  case signedOut
  /// The token endpoint refused the refresh token or the client with this error code.
  case refused(OAuthErrorCode)
  /// The token endpoint could not be reached, or answered with a server error.
  case unreachable
  /// The token endpoint's answer does not follow RFC 6749, or the token is not valid in a header and a cookie.
  case invalidResponse
  /// The token could not be signed.
  case signing

  /// Whether another attempt may succeed.
  public var isRecoverable: Bool { self == .unreachable }
}

extension TokenError: CustomStringConvertible {
  /// The reason, and what to do.
  public var description: String {
    switch self {
    case .signedOut: "You are signed out. Sign in and try again."
    case .refused(let code):
      "The session could not be renewed: the token endpoint answered \(code.rawValue). Sign in again."
    case .unreachable: "The session could not be renewed: the token endpoint could not be reached. Try again later."
    case .invalidResponse: "The session could not be renewed: no usable token was issued."
    case .signing: "The session could not be renewed: the token could not be signed."
    }
  }
}

/// Signs the tokens of ``JWTTokenSource``. The server provides the key and the algorithm.
///
/// With jwt-kit:
///
/// ```swift
/// struct Signer: TokenSigner {
///   let keys: JWTKeyCollection
///
///   func sign(claims: [String: JSONValue]) async throws -> String {
///     try await keys.sign(Claims(values: claims))  // Claims: JWTPayload
///   }
/// }
/// ```
public protocol TokenSigner: Sendable {
  /// Signs claims. Runs off the bridge's actor.
  ///
  /// - Parameter claims: The claims of the token (RFC 7519, section 4).
  /// - Returns: The token in compact form (RFC 7515, section 3.1).
  /// - Throws: Any error when the key cannot sign; ``JWTTokenSource`` reports it as ``TokenError/signing``.
  func sign(claims: [String: JSONValue]) async throws -> String

  /// Signs claims at once, on the caller's thread. Nil, the default, if signing takes too long for that.
  func signature(of claims: [String: JSONValue]) -> String?
}

extension TokenSigner {
  /// Nil.
  public func signature(of claims: [String: JSONValue]) -> String? { nil }
}

extension TokenSource {
  /// Nil.
  public func token() -> AccessToken? { nil }
}

/// Why there is no token. Its text reaches the page as the message of a rejection: it says what happened, and never holds a secret.
public enum TokenError: Error, Sendable, Hashable {
  /// Nobody is signed in, or the sign-out came while the refresh was under way.
  case signedOut
  /// The token endpoint refused the refresh token or the client, with this error code.
  case refused(OAuthErrorCode)
  /// The token endpoint could not be reached, or has a fault of its own.
  case unreachable
  /// The token endpoint's answer is none that RFC 6749 knows, or the token is not one for a header and a cookie.
  case invalidResponse
  /// The key could not sign.
  case signing

  /// Whether trying again may succeed.
  public var isRecoverable: Bool { self == .unreachable }
}

extension TokenError: CustomStringConvertible {
  /// The reason, for people.
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

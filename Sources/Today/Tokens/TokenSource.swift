/// Where tokens come from. ``TokenStore`` never asks twice at once in one flight, but a sign-out and sign-in may start a second one.
public protocol TokenSource: Sendable {
  /// Gets a new token. Runs off the bridge's actor and is never cancelled: an exchange that was begun may have spent a refresh token.
  func refresh() async throws(TokenError) -> AccessToken
}

/// What became of one Set-Cookie header.
public enum CookieOutcome: Sendable, Hashable {
  /// The cookie is in the jar.
  case stored
  /// The cookie had expired already, and is not, or no longer, in the jar.
  case expired
  /// The jar is as it was.
  case refused(CookieRefusal)
}

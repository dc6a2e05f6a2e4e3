/// Which cross-site requests carry a cookie (RFC 6265bis, section 5.6.7).
public enum SameSite: String, Sendable, Hashable, Codable {
  /// All of them; only for Secure cookies.
  case none = "None"
  /// Top-level navigations with a safe method.
  case lax = "Lax"
  /// None of them.
  case strict = "Strict"
  /// Nothing was said, or something unknown: as ``lax``.
  case unspecified = "Default"
}

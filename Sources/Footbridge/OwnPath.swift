/// The paths of Footbridge's own routes. All other paths belong to the site.
enum OwnPath {
  /// The WebSocket of pages.
  static let bridge = "/__footbridge/bridge"
  /// One-time addresses, before the code.
  static let entry = "/__footbridge/enter/"

  /// Whether a path is one of Footbridge's own.
  static func contains(_ path: String) -> Bool { path == "/__footbridge" || path.hasPrefix("/__footbridge/") }
}

/// The version of Footbridge.
package enum FootbridgeVersion {
  /// The version of this program, such as `1.2.0`.
  package static let current = "0.1.0"
}

/// The paths of Footbridge's own routes. All other paths belong to the site.
package enum OwnPath {
  /// The WebSocket of pages.
  package static let bridge = "/__footbridge/bridge"
  /// One-time addresses, before the code.
  package static let entry = "/__footbridge/enter/"

  /// Whether a path is one of Footbridge's own.
  package static func contains(_ path: String) -> Bool { path == "/__footbridge" || path.hasPrefix("/__footbridge/") }
}

/// The address that a server listens on.
package enum ListenAddress {
  /// Whether a host stands for all addresses of the machine.
  package static func isEvery(_ host: String) -> Bool { ["0.0.0.0", "::", "*"].contains(host) }
}

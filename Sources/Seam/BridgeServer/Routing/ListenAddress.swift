/// The address that a server listens on.
package enum ListenAddress {
  /// Whether a host stands for all addresses of the machine.
  package static func isEvery(_ host: String) -> Bool { ["0.0.0.0", "::", "*"].contains(host) }
}

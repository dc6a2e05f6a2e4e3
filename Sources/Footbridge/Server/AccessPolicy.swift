import HTTP1
import HTTPTypes

/// Who may talk to the server: requests for a name that it has (against DNS rebinding) and, where a page could do harm, from a page that
/// it serves (against hijacking by another page).
struct AccessPolicy: Sendable {
  private let names: Set<String>
  private let allowsAddresses: Bool

  /// Creates the policy of a server that listens on `host`, for a site of the name `siteHost`.
  init(host: String, siteHost: String?) {
    var names: Set<String> = ["localhost", "127.0.0.1", "[::1]", host.lowercased(), "[\(host.lowercased())]"]
    if let siteHost { names.insert(siteHost.lowercased()) }
    self.names = names
    // Listening on every address, it has names that it does not know. An address is safe: only a name can be rebound.
    allowsAddresses = ["0.0.0.0", "::", "*"].contains(host)
  }

  /// Whether the request is for a name of this server.
  func allowsHost(of head: RequestHead) -> Bool {
    guard let authority = head.authority else { return head.version < .http11 }
    return names.contains(authority.host) || (allowsAddresses && Self.isAddress(authority.host))
  }

  /// Whether the request comes from a page of this server, or from no page at all: browsers always say where a WebSocket comes from.
  func allowsOrigin(of head: RequestHead, isSecure: Bool) -> Bool {
    let origins = head.fields[values: .origin]
    guard !origins.isEmpty else { return true }
    guard origins.count == 1, let host = head.host else { return false }
    return origins[0].lowercased() == (isSecure ? "https://" : "http://") + host.lowercased()
  }

  private static func isAddress(_ host: String) -> Bool {
    host.hasPrefix("[") || host.utf8.allSatisfy { 0x30...0x39 ~= $0 || $0 == UInt8(ascii: ".") }
  }
}

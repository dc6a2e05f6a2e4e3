import HTTP1

/// The origin that the page has in production (`--site-origin`).
struct SiteOrigin: Sendable, Hashable {
  /// `https` or `http`.
  let scheme: String
  /// The host, in lower case.
  let host: String
  /// The port, if it is not the scheme's.
  let port: UInt16?

  /// The port that connections go to.
  var effectivePort: Int { port.map(Int.init) ?? (scheme == "https" ? 443 : 80) }

  /// Reads an origin: scheme, host, perhaps a port; a single `/` may follow.
  init(_ text: String) throws(FootbridgeError) {
    let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, ["http", "https"].contains(parts[0].lowercased()),
      let authority = Authority(String(parts[1].hasSuffix("/") ? parts[1].dropLast() : parts[1]))
    else { throw .siteOriginInvalid(text) }
    scheme = parts[0].lowercased()
    host = authority.host
    port = authority.port
  }
}

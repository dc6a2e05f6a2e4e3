package import Essentials
package import HTTP1

extension HTTPOrigin {
  /// The origin of a URL (RFC 6454, section 4); nil without a host, and for other schemes than `http` and `https`.
  package init?(_ url: URL) {
    guard let scheme = url.scheme?.lowercased(), let host = url.host(percentEncoded: true) else { return nil }
    // Foundation leaves out the brackets of IPv6 addresses.
    let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    self.init("\(scheme)://\(name)" + (url.port.map { ":\($0)" } ?? ""))
  }

  /// The origin that a URL consists of; nil when the URL has user information, a path other than `/`, a query or a fragment.
  package init?(onlyIn url: URL) {
    guard url.user == nil, url.password == nil, url.query == nil, url.fragment == nil, ["", "/"].contains(url.path)
    else { return nil }
    self.init(url)
  }
}

import HTTP1

extension SiteOptions {
  /// The origins of all upstream servers. A page that navigates to one of them leaves Footbridge, and has no native host there. Leaves out
  /// invalid addresses, which are reported elsewhere.
  var upstreamOrigins: [String] {
    let upstreams = [upstream.proxy].compactMap { $0 } + upstream.routes.values + sites.map(\.upstream)
    let routes = upstreams.compactMap { try? ProxyRoute(prefix: "/", upstream: $0) }
    var origins: Set<String> = []
    for origin in routes.map(\.origin) where !sites.contains(where: { $0.origin == origin }) {
      let port = origin.authority.dropFirst(origin.host.count)
      let hosts = Self.thisMachine.contains(origin.host) ? Self.thisMachine : [origin.host]
      origins.formUnion(hosts.map { "\(origin.scheme)://\($0)\(port)" })
    }
    return origins.sorted()
  }

  /// The names of this machine. A page may use any of them.
  private static let thisMachine = ["localhost", "127.0.0.1", "[::1]"]
}

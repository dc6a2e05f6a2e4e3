import HTTP1

extension FootbridgeOptions {
  /// The origins of the servers behind this one. A page that goes to one of them goes past Footbridge, and has no host there. Wrong
  /// addresses are told elsewhere.
  var upstreamOrigins: [String] {
    let sites = sites.compactMap { try? ListedSite($0) }
    let upstreams = [proxy].compactMap { $0 } + routes.values + sites.map(\.upstream)
    let routes = upstreams.compactMap { try? ProxyRoute(prefix: "/", upstream: $0, source: ServerOption.proxy.flag) }
    var origins: Set<String> = []
    for origin in routes.map(\.origin) where !sites.contains(where: { $0.origin == origin }) {
      let port = origin.authority.dropFirst(origin.host.count)
      let hosts = Self.thisMachine.contains(origin.host) ? Self.thisMachine : [origin.host]
      origins.formUnion(hosts.map { "\(origin.scheme)://\($0)\(port)" })
    }
    return origins.sorted()
  }

  /// The names of this machine, of which pages use any.
  private static let thisMachine = ["localhost", "127.0.0.1", "[::1]"]
}

/// The routes of the site to other servers.
struct ProxyRoutes: Sendable {
  /// The routes, those with longer prefixes first.
  private let routes: [ProxyRoute]

  /// Reads `--proxy` and `routes:`.
  init(proxy: String?, routes: [String: String]) throws(FootbridgeError) {
    var read: [ProxyRoute] = []
    if let proxy { read.append(try ProxyRoute(prefix: "/", upstream: proxy, source: "--proxy")) }
    for (prefix, upstream) in routes {
      let route = try ProxyRoute(prefix: prefix, upstream: upstream, source: "routes")
      if let other = read.first(where: { $0.prefix == route.prefix }) {
        throw .upstreamInvalid(
          "routes", reason: "\(prefix) has two routes, to \(other.origin) and to \(route.origin). Remove one")
      }
      read.append(route)
    }
    self.routes = read.sorted { ($0.prefix.count, $0.prefix) > ($1.prefix.count, $1.prefix) }
  }

  /// Whether there are no routes.
  var isEmpty: Bool { routes.isEmpty }

  /// The route of a path: the one with the longest prefix. Nil for a path of the site's own folder.
  func route(for path: String) -> ProxyRoute? {
    routes.first { $0.contains(path) }
  }

  /// The route for the server as a whole (`OPTIONS *`).
  var rootRoute: ProxyRoute? { route(for: "/") }

  /// The routes to a host and port, with any scheme. `preferred` comes first if it is one of them.
  func routes(to host: String, _ port: Int, preferred: ProxyRoute) -> [ProxyRoute] {
    let matching = routes.filter { $0.origin.host == host && $0.origin.port == port }
    return matching.contains(preferred) ? [preferred] + matching.filter { $0 != preferred } : matching
  }
}

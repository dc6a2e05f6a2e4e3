import HTTP1

/// A part of the site that an upstream server serves: the paths with a prefix, and the server's address.
///
/// If the server's address has a path, this path replaces the prefix. With a route from `/api` to `http://localhost:3000/v1`, `/api/users`
/// becomes `/v1/users`. With `http://localhost:3000/`, it becomes `/users`. Without a path in the address, paths stay unchanged.
struct ProxyRoute: Sendable, Hashable {
  /// The prefix, without a slash at its end; empty for all paths.
  let prefix: String
  /// The server.
  let origin: HTTPOrigin
  /// The choice of the site's name in requests to the server, unless the options say more.
  let usualHost: ProxyHost
  /// The path that replaces the prefix, without a slash at its end; nil to leave paths as they are.
  private let base: String?

  /// Reads a route. An error does not say where the route is written.
  init(prefix: String, upstream: String) throws(SiteError) {
    guard prefix.hasPrefix("/"), RequestTarget(prefix, method: .get)?.query == nil else {
      throw .upstreamInvalid(reason: "\(prefix) is not a path. Use one that begins with a slash, such as /api")
    }
    guard case .absolute(let scheme, let authority, let path, nil) = RequestTarget(upstream, method: .get) else {
      throw .upstreamInvalid(
        reason: "\(upstream) is not an http or https address. Use one such as http://localhost:5173")
    }
    self.prefix = Self.withoutSlash(prefix)
    origin = HTTPOrigin(isSecure: scheme.lowercased() == "https", authority: authority)
    usualHost = .usual(for: origin)
    base = path.isEmpty ? nil : Self.withoutSlash(path)
  }

  /// Whether the route serves a path.
  func contains(_ path: String) -> Bool {
    Self.rest(of: path, after: prefix) != nil
  }

  /// Translates a path of the site into one of the upstream.
  func upstreamPath(of path: String) -> String {
    guard let base, let rest = Self.rest(of: path, after: prefix) else { return path }
    return base.isEmpty && rest.isEmpty ? "/" : base + rest
  }

  /// Translates a path of the upstream into one of the site; nil if the site has no such path.
  func sitePath(of path: String) -> String? {
    guard let base else { return path }
    guard let rest = Self.rest(of: path, after: base) else { return nil }
    return prefix.isEmpty && rest.isEmpty ? "/" : prefix + rest
  }

  /// The rest of a path after a prefix that ends at the end of a segment; nil for any other path.
  private static func rest(of path: String, after prefix: String) -> Substring? {
    guard path.hasPrefix(prefix) else { return nil }
    let rest = path.dropFirst(prefix.count)
    return rest.isEmpty || rest.hasPrefix("/") ? rest : nil
  }

  private static func withoutSlash(_ path: String) -> String {
    path.hasSuffix("/") ? String(path.dropLast()) : path
  }
}

/// The routes of the site to other servers.
struct ProxyRoutes: Sendable {
  /// The routes, those with longer prefixes first.
  private let routes: [ProxyRoute]

  /// Reads `--proxy` and `routes:`.
  init(proxy: String?, routes: [String: String]) throws(SiteError) {
    var read: [ProxyRoute] = []
    if let proxy { read.append(try ProxyRoute(prefix: "/", upstream: proxy)) }
    for (prefix, upstream) in routes {
      let route = try ProxyRoute(prefix: prefix, upstream: upstream)
      if let other = read.first(where: { $0.prefix == route.prefix }) {
        throw .upstreamInvalid(
          reason: "\(prefix) has two routes, to \(other.origin) and to \(route.origin). Remove one")
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

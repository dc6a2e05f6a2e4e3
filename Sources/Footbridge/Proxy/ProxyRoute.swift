import HTTP1

/// A part of the site that another server serves: paths that begin with a prefix, and where they go.
///
/// If the upstream's address has a path, this path replaces the prefix: with `/api` to `http://localhost:3000/v1`, `/api/users`
/// becomes `/v1/users`, and with `http://localhost:3000/` it becomes `/users`. Without one, paths stay as they are.
struct ProxyRoute: Sendable, Hashable {
  /// The prefix, without a slash at its end; empty for all paths.
  let prefix: String
  /// The server.
  let origin: HTTPOrigin
  /// The path that replaces the prefix, without a slash at its end; nil to leave paths as they are.
  private let base: String?

  /// Reads a route. `source` is what errors call it.
  init(prefix: String, upstream: String, source: String) throws(FootbridgeError) {
    guard prefix.hasPrefix("/"), RequestTarget(prefix, method: .get)?.query == nil else {
      throw .upstreamInvalid(source, reason: "\(prefix) is not a path. Use one that begins with a slash, such as /api")
    }
    guard case .absolute(let scheme, let authority, let path, nil) = RequestTarget(upstream, method: .get) else {
      throw .upstreamInvalid(
        source, reason: "\(upstream) is not an http or https address. Use one such as http://localhost:5173")
    }
    self.prefix = Self.withoutSlash(prefix)
    origin = HTTPOrigin(isSecure: scheme.lowercased() == "https", authority: authority)
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

  /// What follows a prefix that ends at the end of a segment.
  private static func rest(of path: String, after prefix: String) -> Substring? {
    guard path.hasPrefix(prefix) else { return nil }
    let rest = path.dropFirst(prefix.count)
    return rest.isEmpty || rest.hasPrefix("/") ? rest : nil
  }

  private static func withoutSlash(_ path: String) -> String {
    path.hasSuffix("/") ? String(path.dropLast()) : path
  }
}

import BridgeRuntime
import BridgeServer
import HTTP1
import HTTPTypes
import Sessions
import SiteServer
import WebServer

/// Requests of pages for resources of the app. The bridge of the page's session answers them.
@BridgeActor
struct ResourceRoute {
  let sessions: SessionRegistry
  /// The bridges that answer paths of the site, by the beginnings of the paths.
  private let bridges: [(path: String, name: String)]

  init(sessions: SessionRegistry, definitions: [any BridgeDefinition]) {
    self.sessions = sessions
    bridges = definitions.flatMap { bridge in
      ((bridge as? any ResourceDefinition)?.resourcePaths ?? []).map { ($0, bridge.name) }
    }
  }

  /// Answers a request for a path of the site. Returns false if it is no bridge's.
  func answer(_ exchange: HTTPExchange, sitePath path: String) async -> Bool {
    guard let bridge = bridges.first(where: { path.hasPrefix($0.path) }) else { return false }
    let scheme = exchange.isSecure ? "https" : "http"
    let url = "\(scheme)://\(exchange.head.host ?? "")\(exchange.head.target.rawValue)"
    // The slash at the end of the beginning is the first one of the rest.
    await answer(
      exchange, bridge: bridge.name, place: bridge.path, url: url, path: path.dropFirst(bridge.path.count - 1))
    return true
  }

  /// Answers a request for an address of a scheme. `rest` is `bridge/scheme/~host/path`, as the shim has written it.
  func answer(_ exchange: HTTPExchange, _ rest: Substring) async {
    let parts = rest.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count >= 3, parts[2].hasPrefix("~") else {
      return exchange.respondText(.notFound, "This is not the address of a resource.")
    }
    let (host, path) = (parts[2].dropFirst(), parts.count == 4 ? "/\(parts[3])" : "")
    let query = exchange.head.target.query.map { "?\($0)" } ?? ""
    await answer(
      exchange, bridge: String(parts[0]), place: String(parts[1]), url: "\(parts[1])://\(host)\(path)\(query)",
      path: path.isEmpty ? "/" : path[...])
  }

  private func answer(_ exchange: HTTPExchange, bridge: String, place: String, url: String, path: Substring) async {
    // Without a session, no page of ours asks.
    guard let value = SessionCookie.value(in: exchange.head.fields, isSecure: exchange.isSecure),
      let session = try? await sessions.session(cookieValue: value)
    else { return exchange.respondText(.notFound, "Only pages of a session get resources of the app.") }
    guard let serving = session.bridge(named: bridge) as? any ResourceServing else {
      return exchange.respondText(.notFound, "No bridge \(bridge) answers here.")
    }
    let request = ResourceRequest(
      place: place, url: url, path: String(path), bodyLimit: session.limits.web.webSocketMessageBytes)
    await serving.answer(request, exchange)
  }
}

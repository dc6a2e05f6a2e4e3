import BridgeRuntime
import HTTPTypes
import Sessions
import SiteServer
import WebServer

/// The page at `/__footbridge/`. It introduces the server and lists its addresses.
struct AboutRoute {
  /// The embedded file.
  static let path = "about/about.html"

  /// What the bridges serve.
  let resources: [ServerContext.Resource]

  private static let policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

  /// Answers with the page.
  @BridgeActor
  func answer(_ exchange: HTTPExchange) async {
    guard exchange.allows([.get, .head]) else { return }
    let page = EmbeddedFile.all[Self.path].map { String(decoding: $0.bytes, as: UTF8.self) } ?? "Footbridge {{version}}"
    var fields: HTTPFields = [.contentType: "text/html; charset=utf-8", .cacheControl: "no-cache"]
    fields[.contentSecurityPolicy] = Self.policy
    let text = page.replacing("{{version}}", with: FootbridgeServer.version).replacing("{{resources}}", with: rows)
    exchange.respond(.ok, fields: fields, body: Array(text.utf8))
  }

  /// A row for each resource of the bridges. A resource whose path ends with a slash needs more of a path, so it is no link.
  private var rows: String {
    resources.map { resource in
      let link =
        resource.path.hasSuffix("/")
        ? "<code>\(resource.path)</code>" : "<a href=\"/__footbridge/\(resource.path)\">\(resource.path)</a>"
      return "<dt>\(link)</dt><dd>\(resource.purpose)</dd>"
    }.joined(separator: "\n")
  }
}

/// `/__footbridge/health`: health checks of the server.
///
/// `/__footbridge/health/live` is 200 while the process works: an orchestrator restarts a server that does not answer.
/// `/__footbridge/health/ready` is 503 once the server is about to stop: a load balancer then sends requests elsewhere. A server on a
/// shared database is also not ready while it cannot reach the database. Without either name, the path means ready.
@BridgeActor
struct HealthRoute {
  /// Whether the server is about to stop, and only finishes requests and calls in progress.
  let isDraining: Bool
  /// Whether the server may serve sessions; always true for a server that shares its store with no other.
  let hasLease: Bool

  /// Answers a request for a path below `/__footbridge/`; false for one that is not about health.
  func answer(_ exchange: HTTPExchange, _ route: Substring) -> Bool {
    switch route {
    case "health", "health/ready": answer(exchange, isWell: !isDraining && hasLease)
    case "health/live": answer(exchange, isWell: true)
    default: return false
    }
    return true
  }

  private func answer(_ exchange: HTTPExchange, isWell: Bool) {
    guard exchange.allows([.get, .head]) else { return }
    let status = isDraining ? "draining" : hasLease ? "ok" : "no-lease"
    let text = "{\"status\":\"\(status)\",\"version\":\"\(FootbridgeServer.version)\"}\n"
    exchange.respond(
      isWell ? .ok : .serviceUnavailable,
      fields: [.contentType: "application/json", .cacheControl: "no-store"],
      body: Array(text.utf8)
    )
  }
}

import BridgeRuntime
import HTTPTypes
import WebServer

/// `/__footbridge/health`: whether the server is well, for whoever looks after it.
///
/// `/__footbridge/health/live` is 200 for as long as the process works: an orchestrator that gets no answer starts it again.
/// `/__footbridge/health/ready` is 503 once the server is about to stop: a balancer sends requests elsewhere. Without either name it is the
/// same as ready. Of several servers on one database, one that cannot reach it is not ready either.
@BridgeActor
struct HealthRoute {
  /// Whether the server finishes what is under way, and is about to stop.
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
    let text = "{\"status\":\"\(status)\",\"version\":\"\(Footbridge.version)\"}\n"
    exchange.respond(
      isWell ? .ok : .serviceUnavailable,
      fields: [.contentType: "application/json", .cacheControl: "no-store"],
      body: Array(text.utf8)
    )
  }
}

import BridgeCore
import BridgeRuntime
import BridgeServer
import WebServer

/// The part of the control API's answers about sites under their own origins.
struct ProxiedSites: Sendable {
  /// The origins.
  let origins: [String]
  private let token: Secret?

  /// The sites at these origins. `token` is the password of the proxy, if it has one. Nil if there are no sites.
  init?(_ origins: [String], token: Secret?) {
    if origins.isEmpty { return nil }
    self.origins = origins
    self.token = token
  }

  /// The sites, and the proxy with credentials that put a browser into a new session at all sites, in the form of Playwright's `proxy`.
  @BridgeActor
  func members(_ cookieValue: String, _ request: ControlRequest) -> [String: JSONValue] {
    [
      "sites": .array(origins.map { .string($0) }),
      "proxy": [
        "server": .string(request.serverOrigin ?? "http://\(request.exchange.head.host ?? "localhost")"),
        "username": .string(cookieValue),
        "password": .string(token?.reveal() ?? "footbridge"),
      ],
    ]
  }
}

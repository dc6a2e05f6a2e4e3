import BridgeCore
import BridgeRuntime
import WebServer

/// The part of the control API's answers about sites under their own origins.
struct ProxiedSites: Sendable {
  /// The origins.
  let origins: [String]
  private let token: Secret?

  /// Reads the options; nil if no site is listed. Throws ``FootbridgeError``.
  init?(_ options: FootbridgeOptions) throws(FootbridgeError) {
    if options.sites.isEmpty { return nil }
    origins = try ListedSite.read(options.sites).map(\.origin.description)
    token = options.siteToken
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

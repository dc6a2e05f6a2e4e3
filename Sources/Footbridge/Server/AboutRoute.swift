import BridgeRuntime
import HTTPTypes
import WebServer

/// The page at `/__footbridge/`: it says what this server is, and what is here.
struct AboutRoute {
  /// The embedded file.
  static let path = "about/about.html"

  private static let policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

  /// Answers with the page.
  @BridgeActor
  func answer(_ exchange: HTTPExchange) async {
    guard exchange.allows([.get, .head]) else { return }
    let page = EmbeddedFile.all[Self.path].map { String(decoding: $0.bytes, as: UTF8.self) } ?? "Footbridge {{version}}"
    var fields: HTTPFields = [.contentType: "text/html; charset=utf-8", .cacheControl: "no-cache"]
    fields[.contentSecurityPolicy] = Self.policy
    exchange.respond(
      .ok, fields: fields, body: Array(page.replacing("{{version}}", with: Footbridge.version).utf8))
  }
}

import BridgeCore
import HTTPTypes
import WebServer

extension HTTPExchange {
  /// Answers with public keys, a JSON Web Key Set (RFC 7517, section 5). They may be kept for a short while: a server that keeps no state has
  /// new ones at each start.
  func serve(keys: JSONValue) async {
    guard allows([.get, .head]) else { return }
    let file = EmbeddedFile(path: "jwks.json", bytes: Array(keys.jsonText.utf8))
    await serve(file, fields: [.cacheControl: "public, max-age=60"])
  }
}

import BridgeCore
import HTTPTypes

extension BridgeServer {
  /// Answers requests for `path` with public keys, a JSON Web Key Set (RFC 7517, section 5). They may be kept for a short while: a server
  /// that keeps no state has new ones at each start.
  func serve(keys: JSONValue, at path: String) {
    let file = EmbeddedFile(path: "jwks.json", bytes: Array(keys.jsonText.utf8))
    serve(path) { exchange, _ in
      guard exchange.allows([.get, .head]) else { return }
      await exchange.serve(file, fields: [.cacheControl: "public, max-age=60"])
    }
  }
}

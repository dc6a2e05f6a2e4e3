import BridgeCore
import HTTPTypes

extension BridgeServer {
  /// Answers requests for `path` with public keys, a JSON Web Key Set (RFC 7517, section 5). Clients may cache them briefly only: a server
  /// without a state directory has new keys at each start.
  func serve(keys: JSONValue, at path: String) {
    let file = EmbeddedFile(path: "jwks.json", bytes: Array(keys.jsonText.utf8))
    serve(path) { exchange, _ in
      guard exchange.allows([.get, .head]) else { return }
      await exchange.serve(file, fields: [.cacheControl: "public, max-age=60"])
    }
  }
}

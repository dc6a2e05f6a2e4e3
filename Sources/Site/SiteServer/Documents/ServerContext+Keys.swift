package import BridgeCore
import BridgeRuntime
import HTTPTypes
package import Sessions
import WebServer

extension ServerContext {
  /// Answers requests for `path` with public keys, a JSON Web Key Set (RFC 7517, section 5). Clients may cache them for a short time only:
  /// keys can be rotated, and a server without a state directory has new keys at each start.
  package func serve(keys: @escaping @BridgeActor () async -> JSONValue, at path: String, purpose: String) {
    serve(path, purpose: purpose) { exchange, _ in
      guard exchange.allows([.get, .head]) else { return }
      let file = EmbeddedFile(path: "jwks.json", bytes: Array(await keys().jsonText.utf8))
      await exchange.serve(file, fields: [.cacheControl: "public, max-age=60"])
    }
  }
}

import OnsideKit
import BridgeCore

extension SigningKey: HistorySigner {
  /// Signs a JSON text.
  ///
  /// - Throws: `JSONError` when the payload is not JSON.
  package func sign(payload: [UInt8]) async throws -> String {
    await sign(try JSONValue(parsing: payload))
  }
}

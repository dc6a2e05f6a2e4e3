package import BridgeCore
import Today

extension SigningKey: TokenSigner {
  package func sign(claims: [String: JSONValue]) async -> String {
    await sign(.object(claims))
  }
}

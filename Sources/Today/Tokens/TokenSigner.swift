public import BridgeCore

/// Signs the tokens of ``JWTTokenSource``. The server provides the key and the algorithm.
///
/// With jwt-kit:
///
/// ```swift
/// struct Signer: TokenSigner {
///   let keys: JWTKeyCollection
///
///   func sign(claims: [String: JSONValue]) async throws -> String {
///     try await keys.sign(Claims(values: claims))  // Claims: JWTPayload
///   }
/// }
/// ```
public protocol TokenSigner: Sendable {
  /// Signs claims. Runs off the bridge's actor.
  ///
  /// - Parameter claims: The claims of the token (RFC 7519, section 4).
  /// - Returns: The token in compact form (RFC 7515, section 3.1).
  /// - Throws: Any error when the key cannot sign; ``JWTTokenSource`` reports it as ``TokenError/signing``.
  func sign(claims: [String: JSONValue]) async throws -> String
}

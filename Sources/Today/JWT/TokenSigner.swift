/// Signs tokens (RFC 7515).
public protocol TokenSigner: Sendable {
  /// The header's `alg`, such as `ES256`.
  var algorithm: String { get }
  /// The header's `kid`, by which a server finds the public key.
  var keyIdentifier: String { get }

  /// Signs octets. Runs off the bridge's actor.
  func signature(of bytes: [UInt8]) async throws -> [UInt8]
}

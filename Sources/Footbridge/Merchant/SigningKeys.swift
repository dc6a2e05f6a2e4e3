import BridgeCore
import Crypto
import JWTKit
import OnsideKit
import Today

/// The store's key pair: signs histories with ES256 (RFC 7518, section 3.4), and tells the public key.
///
/// It is made once per state directory, so that what was signed before a restart can still be verified, or once per process when nothing is
/// kept. The contract names neither algorithm nor `kid`: ES256, a `typ` of `JWT`, and the key's thumbprint (RFC 7638) as `kid` are ours.
struct SigningKeys: HistorySigner {
  /// The file in the state directory, in PEM form.
  static let fileName = "onside-signing-key.pem"

  /// The `kid` of what is signed.
  let keyID: String
  /// The JWK Set (RFC 7517, section 5) with the public key.
  let publicKeys: JSONValue

  private let key: P256.Signing.PrivateKey

  /// Reads the key of a state directory, or makes it. Without a directory it lives as long as the process.
  ///
  /// Throws ``FootbridgeError/stateUnusable(_:reason:)``. A file that holds no key stays as it is: it may be all that is left of one.
  init(state: StateDirectory?) throws {
    self.init(key: try Self.key(state))
  }

  private static func key(_ state: StateDirectory?) throws -> P256.Signing.PrivateKey {
    guard let state else { return P256.Signing.PrivateKey() }
    let data = try state.read(fileName, orCreate: Array(P256.Signing.PrivateKey().pemRepresentation.utf8))
    do {
      return try P256.Signing.PrivateKey(pemRepresentation: String(decoding: data, as: UTF8.self))
    } catch {
      throw FootbridgeError.stateUnusable(
        state.path + "/" + fileName,
        reason: "It is no P-256 private key in PEM form. Delete it to have a new key made."
      )
    }
  }

  private init(key: P256.Signing.PrivateKey) {
    self.key = key
    let coordinates = key.publicKey.rawRepresentation
    let x = JSONValue.string(Base64URL.encode(Array(coordinates.prefix(32))))
    let y = JSONValue.string(Base64URL.encode(Array(coordinates.suffix(32))))
    // RFC 7638, section 3.2: exactly these members, sorted by name.
    let thumbprint: JSONValue = ["crv": "P-256", "kty": "EC", "x": x, "y": y]
    keyID = Base64URL.encode(Array(SHA256.hash(data: Array(thumbprint.jsonText.utf8))))
    publicKeys = [
      "keys": [["kty": "EC", "crv": "P-256", "x": x, "y": y, "kid": .string(keyID), "use": "sig", "alg": "ES256"]]
    ]
  }

  /// Signs a JSON text. The work is done on the threads of Swift's own executor, not on the caller's.
  ///
  /// Throws `JSONError` when the payload is no JSON.
  func sign(payload: [UInt8]) async throws -> String {
    let payload = JWSPayload(try JSONValue(parsing: payload))
    let kid = JWKIdentifier(string: keyID)
    let keys = await JWTKeyCollection().add(ecdsa: try ES256PrivateKey(backing: key), kid: kid)
    return try await withTaskExecutorPreference(globalConcurrentExecutor) {
      try await keys.sign(payload, kid: kid)
    }
  }
}

package import BridgeCore
import BridgeRuntime
import Cryptography

/// A P-256 key pair of the server. It signs JSON as a compact JWS with ES256 (RFC 7515, section 3.1; RFC 7518, section 3.4), and publishes
/// the public key.
///
/// Each state directory has one key, so that a text that was signed before a restart still verifies after it. The contracts name neither an
/// algorithm nor a `kid`. ES256, the `typ` `JWT`, and the key's thumbprint (RFC 7638) as `kid` are ours.
package struct SigningKey: Sendable {
  /// The `kid` of the signed texts: the public key's thumbprint.
  let keyID: String
  /// The public key as a JWK (RFC 7517, section 4).
  let jwk: JSONValue

  private let key: P256Key

  /// Reads a key from the state directory. If the file does not exist, makes a key and writes the file.
  ///
  /// - Parameters:
  ///   - state: The directory; nil for a key that lives as long as the process.
  ///   - fileName: The key's file in it, in PEM form.
  /// - Throws: ``StateError/unusable(_:reason:)``. A file without a usable key stays as it is: it may be the only copy of one.
  package init(state: (any StateStorage)?, fileName: String) throws {
    self.init(try Self.key(state, fileName))
  }

  private static func key(_ state: (any StateStorage)?, _ fileName: String) throws -> P256Key {
    guard let state else { return P256Key() }
    let data = try state.read(fileName, orCreate: P256Key().pem)
    do {
      return try P256Key(pem: Array(data))
    } catch {
      throw StateError.unusable(
        state.place(of: fileName),
        reason: "It does not contain a P-256 private key in PEM form. Delete it to get a new key."
      )
    }
  }

  /// Makes a key without a file.
  init() {
    self.init(P256Key())
  }

  /// Reads a key in PEM form; nil if the text is not a key.
  package init?(pem: [UInt8]) {
    guard let key = try? P256Key(pem: pem) else { return nil }
    self.init(key)
  }

  private init(_ key: P256Key) {
    self.key = key
    let coordinates = key.coordinates
    let x = JSONValue.string(Base64URL.encode(coordinates.x))
    let y = JSONValue.string(Base64URL.encode(coordinates.y))
    // RFC 7638, section 3.2: exactly these members, sorted by name.
    let thumbprint: JSONValue = ["crv": "P-256", "kty": "EC", "x": x, "y": y]
    keyID = Base64URL.encode(SHA256.hash(thumbprint.jsonText))
    jwk = ["kty": "EC", "crv": "P-256", "x": x, "y": y, "kid": .string(keyID), "use": "sig", "alg": "ES256"]
  }

  /// The JWK Set (RFC 7517, section 5) with the public key.
  package var publicKeys: JSONValue { ["keys": [jwk]] }

  /// The key pair in PEM form, for its file.
  var pem: [UInt8] { key.pem }

  /// Signs a JSON value, on the threads of Swift's own executor instead of the caller's.
  package func sign(_ payload: JSONValue) async -> String {
    await withTaskExecutorPreference(globalConcurrentExecutor) { signed(payload) }
  }

  /// Signs a JSON value on the caller's thread. A signature takes some 20 microseconds.
  package func signed(_ payload: JSONValue) -> String {
    let header: JSONValue = ["alg": "ES256", "kid": .string(keyID), "typ": "JWT"]
    return CompactJWS.text(header, payload, sign: key.signature)
  }
}

extension SigningKey: CustomStringConvertible, CustomReflectable {
  /// The key's identifier, never the key.
  package var description: String { "SigningKey(\(keyID))" }
  /// As ``description``.
  package var customMirror: Mirror { Mirror(self, children: ["keyID": keyID]) }
}

/// A JWS in compact form (RFC 7515, section 3.1): header, payload and signature in base64, each after a full stop.
package struct CompactJWS {
  /// The header.
  package let header: JSONValue
  /// The signed bytes: header and payload in their encoded form.
  package let input: [UInt8]
  /// The signature or authentication code.
  package let signature: [UInt8]
  private let payloadBytes: [UInt8]

  /// Splits a text into its parts; nil if it has another form, or if its header is not a JSON object.
  package init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let headerBytes = Base64URL.decode(parts[0]), let payloadBytes = Base64URL.decode(parts[1]),
      let signature = Base64URL.decode(parts[2]), let header = try? JSONValue(parsing: headerBytes),
      header.objectValue != nil
    else { return nil }
    self.header = header
    self.payloadBytes = payloadBytes
    self.signature = signature
    input = Array((parts[0] + "." + parts[1]).utf8)
  }

  /// The payload; nil if it is not JSON. Verify the signature first.
  package var payload: JSONValue? { try? JSONValue(parsing: payloadBytes) }

  /// Makes a text, with the signature that `sign` returns.
  package static func text(_ header: JSONValue, _ payload: JSONValue, sign: ([UInt8]) -> [UInt8]) -> String {
    let input = [header, payload].map { Base64URL.encode(Array($0.jsonText.utf8)) }.joined(separator: ".")
    return input + "." + Base64URL.encode(sign(Array(input.utf8)))
  }
}

public import BridgeCore
import Crypto
import Foundation

/// A signer with a P-256 key (RFC 7518, section 3.4).
public struct ES256Signer: TokenSigner {
  /// `ES256`.
  public let algorithm = "ES256"
  /// The thumbprint of the public key (RFC 7638).
  public let keyIdentifier: String
  /// The public key as a JSON Web Key (RFC 7517), for the server that checks the tokens.
  public let publicKey: JSONValue

  private let key: P256.Signing.PrivateKey

  /// Creates a signer with a key of its own.
  public init() {
    self.init(P256.Signing.PrivateKey())
  }

  /// Creates a signer with the key in a PEM document: what `openssl ecparam -name prime256v1 -genkey` or `openssl genpkey` writes.
  ///
  /// - Throws: ``TodaySettingsError/signingKey`` when there is no such key in it.
  public init(pemRepresentation: String) throws(TodaySettingsError) {
    guard let key = try? P256.Signing.PrivateKey(pemRepresentation: pemRepresentation) else { throw .signingKey }
    self.init(key)
  }

  private init(_ key: P256.Signing.PrivateKey) {
    let point = Array(key.publicKey.rawRepresentation)
    let x = Base64URL.encode(Array(point.prefix(32)))
    let y = Base64URL.encode(Array(point.suffix(32)))
    // RFC 7638, section 3: the required members, sorted by name, without white space.
    let thumbprint = SHA256.hash(data: Data(#"{"crv":"P-256","kty":"EC","x":"\#(x)","y":"\#(y)"}"#.utf8))
    self.key = key
    keyIdentifier = Base64URL.encode(Array(thumbprint))
    publicKey = [
      "kty": "EC", "crv": "P-256", "x": .string(x), "y": .string(y), "alg": "ES256", "use": "sig",
      "kid": .string(keyIdentifier),
    ]
  }

  /// Signs octets: the two numbers of the signature, 32 octets each.
  public func signature(of bytes: [UInt8]) async throws -> [UInt8] {
    Array(try key.signature(for: bytes).rawRepresentation)
  }
}

extension ES256Signer: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The key's identifier.
  public var description: String { "ES256Signer(\(keyIdentifier))" }
  /// As ``description``.
  public var debugDescription: String { description }
  /// The key's identifier; not the key.
  public var customMirror: Mirror { Mirror(self, children: ["keyIdentifier": keyIdentifier]) }
}

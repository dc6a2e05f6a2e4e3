import Crypto
import Essentials
import SwiftASN1
import X509

/// A certificate and its private key. The state directory keeps both in one file, so that one never comes without the other.
struct KeyedCertificate: Sendable {
  let certificate: Certificate
  let key: P256.Signing.PrivateKey

  init(_ certificate: Certificate, key: P256.Signing.PrivateKey) {
    self.certificate = certificate
    self.key = key
  }

  /// Reads both from PEM text. Throws if one is missing, or if they do not belong together.
  init(pem: Data) throws {
    let documents = try PEMDocument.parseMultiple(pemString: String(decoding: pem, as: UTF8.self))
    guard let key = documents.first(where: { $0.discriminator == "PRIVATE KEY" }),
      let certificate = documents.first(where: { $0.discriminator == Certificate.defaultPEMDiscriminator })
    else { throw CocoaError(.fileReadCorruptFile) }
    self.key = try P256.Signing.PrivateKey(pemRepresentation: key.pemString)
    self.certificate = try Certificate(pemDocument: certificate)
    guard self.certificate.publicKey == Certificate.PublicKey(self.key.publicKey) else {
      throw CocoaError(.fileReadCorruptFile)
    }
  }

  /// Both in PEM form.
  func pem() throws -> [UInt8] {
    Array("\(key.pemRepresentation)\n\(try certificate.serializeAsPEM().pemString)\n".utf8)
  }
}

extension Certificate {
  /// Whether the certificate is valid now, and stays valid for at least `duration`, in seconds.
  func isValid(at now: Date, andFor duration: TimeInterval) -> Bool {
    notValidBefore <= now && notValidAfter >= now.addingTimeInterval(duration)
  }

  /// The SHA-256 hash of the public key (its SubjectPublicKeyInfo, RFC 5280, section 4.1) in base64: what Chromium's
  /// `--ignore-certificate-errors-spki-list` takes.
  func publicKeyHash() throws -> String {
    Data(SHA256.hash(data: try publicKey.serializeAsPEM().derBytes)).base64EncodedString()
  }
}

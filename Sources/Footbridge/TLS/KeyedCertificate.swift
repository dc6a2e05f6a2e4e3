import Cryptography
import Essentials

/// A certificate and its private key. The state directory keeps both in one file, so that one never comes without the other.
struct KeyedCertificate: Sendable {
  let certificate: Certificate
  let key: P256Key

  init(_ certificate: Certificate, key: P256Key) {
    self.certificate = certificate
    self.key = key
  }

  /// Reads both from PEM text. Throws if one is missing, or if they do not belong together.
  init(pem: [UInt8]) throws {
    key = try P256Key(pem: pem)
    certificate = try Certificate(pem: pem)
    guard certificate.belongs(to: key) else { throw PEMError.otherKey }
  }

  /// Both in PEM form.
  var pem: [UInt8] { key.pem + certificate.pem }
}

extension Certificate {
  /// Whether the certificate is valid now, and stays valid for at least `duration`, in seconds.
  func isValid(at now: Date, andFor duration: TimeInterval) -> Bool {
    start <= now && end >= now.addingTimeInterval(duration)
  }

  /// The SHA-256 hash of the public key (its SubjectPublicKeyInfo, RFC 5280, section 4.1) in base64: what Chromium's
  /// `--ignore-certificate-errors-spki-list` takes.
  var publicKeyHash: String { Data(SHA256.hash(publicKey)).base64EncodedString() }
}

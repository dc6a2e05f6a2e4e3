import Crypto
import Foundation
import SwiftASN1
import X509

/// Certificates for tests: an authority, and what it issues.
struct TestCertificate {
  let certificate: Certificate
  let key: P256.Signing.PrivateKey

  /// An authority of the tests' own.
  static func authority() throws -> TestCertificate {
    try make(issuer: nil, names: [], validFor: 86_400)
  }

  /// A server's certificate. Without an authority it is self-signed.
  static func server(_ names: [GeneralName], from authority: TestCertificate? = nil, validFor: TimeInterval = 86_400)
    throws -> TestCertificate
  {
    try make(issuer: authority, names: names, validFor: validFor)
  }

  /// The certificate in PEM form.
  var pem: [UInt8] {
    get throws { Array((try certificate.serializeAsPEM().pemString + "\n").utf8) }
  }

  /// The key in PEM form.
  var keyPEM: [UInt8] { Array(key.pemRepresentation.utf8) }

  private static func make(issuer: TestCertificate?, names: [GeneralName], validFor: TimeInterval) throws
    -> TestCertificate
  {
    let key = P256.Signing.PrivateKey()
    let subject = try DistinguishedName { CommonName(issuer == nil && names.isEmpty ? "authority" : "server") }
    let certificate = try Certificate(
      version: .v3,
      serialNumber: Certificate.SerialNumber(),
      publicKey: .init(key.publicKey),
      notValidBefore: Date(timeIntervalSinceNow: -172_800),
      notValidAfter: Date(timeIntervalSinceNow: validFor),
      issuer: issuer?.certificate.subject ?? subject,
      subject: subject,
      signatureAlgorithm: .ecdsaWithSHA256,
      extensions: try Certificate.Extensions {
        if names.isEmpty {
          Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
        } else {
          SubjectAlternativeNames(names)
        }
      },
      issuerPrivateKey: .init(issuer?.key ?? key)
    )
    return TestCertificate(certificate: certificate, key: key)
  }
}

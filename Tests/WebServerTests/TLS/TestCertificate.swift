import Cryptography
import Foundation

/// Certificates for tests: an authority, and what it issues.
struct TestCertificate {
  let certificate: Certificate
  let key: P256Key

  /// An authority of the tests' own.
  static func authority() -> TestCertificate {
    make("authority", .authority(permitted: []), issuer: nil, validFor: 86_400)
  }

  /// A server's certificate. Without an authority it is self-signed.
  static func server(
    _ names: [GeneralName], from authority: TestCertificate? = nil, validFor: TimeInterval = 86_400
  ) -> TestCertificate {
    make("server", .server(names), issuer: authority, validFor: validFor)
  }

  /// The certificate in PEM form.
  var pem: [UInt8] { certificate.pem }

  /// The key in PEM form.
  var keyPEM: [UInt8] { key.pem }

  private static func make(
    _ name: String, _ purpose: CertificateDraft.Purpose, issuer: TestCertificate?, validFor: TimeInterval
  ) -> TestCertificate {
    let key = P256Key()
    let draft = CertificateDraft(
      commonName: name, for: purpose, from: Date(timeIntervalSinceNow: -172_800),
      to: Date(timeIntervalSinceNow: validFor))
    let certificate =
      issuer.map { draft.signed(for: key, by: $0.certificate, with: $0.key) } ?? draft.selfSigned(with: key)
    return TestCertificate(certificate: certificate, key: key)
  }
}

import Cryptography
import Essentials
import Sessions
import WebServer

/// A server's certificate from the local authority.
package struct LocalCertificate: Sendable {
  /// The file in the state directory with the server's key and certificate.
  static let fileName = "tls-certificate.pem"

  /// The authority that has signed it.
  package let authority: LocalAuthority
  private let names: [CertificateName]
  private let state: (any StateStorage)?
  private let pair: KeyedCertificate

  /// Reads the certificate in the state directory. Replaces it if it can no longer be used. Throws ``SiteError``.
  init(for names: [CertificateName], in state: (any StateStorage)?, now: Date) throws {
    try self.init(LocalAuthority(for: names, state: state, now: now), for: names, in: state)
  }

  private init(_ authority: LocalAuthority, for names: [CertificateName], in state: (any StateStorage)?) throws {
    self.authority = authority
    self.names = names
    self.state = state
    // A file that cannot be read is replaced: it has nothing of value.
    if let data = try state?.read(Self.fileName), let pair = try? KeyedCertificate(pem: Array(data)),
      authority.vouches(for: pair.certificate, names: names)
    {
      self.pair = pair
      return
    }
    pair = authority.issue(for: names)
    try state?.write(Data(pair.pem), to: Self.fileName)
  }

  /// The next certificate. It is from the same authority, unless that expires soon too. Throws ``SiteError``.
  func renewed(at now: Date) throws -> LocalCertificate {
    try LocalCertificate(authority.at(now) ?? LocalAuthority(for: names, state: state, now: now), for: names, in: state)
  }

  /// When it expires.
  var end: Date { pair.certificate.end }

  /// When to create the next one.
  var renewalDate: Date { end.addingTimeInterval(-LocalAuthority.renewalTime) }

  /// The TLS context of connections, with the certificate and its key.
  func context() throws -> TLSContext {
    try authority.context(for: pair)
  }
}

/// A name or an address that a certificate is for (RFC 5280, section 4.2.1.6).
package struct CertificateName: Hashable {
  /// The name, or the address without brackets.
  let text: String
  private let address: [UInt8]?

  /// Reads the host of a URL: a name, an IPv4 address, or an IPv6 address with or without brackets.
  init(_ host: String) {
    text = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host.lowercased()
    address = Self.bytes(text, family: AF_INET, count: 4) ?? Self.bytes(text, family: AF_INET6, count: 16)
  }

  /// The name in the form of certificates.
  var generalName: GeneralName {
    address.map { .address($0) } ?? .dns(text)
  }

  /// An address as text.
  static func text(of address: [UInt8]) -> String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    inet_ntop(address.count == 4 ? AF_INET : AF_INET6, address, &text, socklen_t(text.count))
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private static func bytes(_ text: String, family: Int32, count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return inet_pton(family, text, &bytes) == 1 ? bytes : nil
  }
}

/// A certificate and its private key. The state directory keeps both in one file, so that they always belong together.
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

  /// The SHA-256 hash of the public key (its SubjectPublicKeyInfo, RFC 5280, section 4.1) in base64, for Chromium's
  /// `--ignore-certificate-errors-spki-list`.
  package var publicKeyHash: String { Data(SHA256.hash(publicKey)).base64EncodedString() }
}

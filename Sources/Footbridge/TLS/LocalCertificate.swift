import Cryptography
import Essentials
import WebServer

/// A server's certificate from the local authority, which can create the next one.
struct LocalCertificate: Sendable {
  /// The file in the state directory with the server's key and certificate.
  static let fileName = "tls-certificate.pem"

  /// The authority that has signed it.
  let authority: LocalAuthority
  private let names: [CertificateName]
  private let state: StateDirectory?
  private let pair: KeyedCertificate

  /// The certificate in the state directory. If it can no longer be used, a new one that replaces it. Throws ``FootbridgeError``.
  init(for names: [CertificateName], in state: StateDirectory?, now: Date) throws {
    try self.init(LocalAuthority(for: names, state: state, now: now), for: names, in: state)
  }

  private init(_ authority: LocalAuthority, for names: [CertificateName], in state: StateDirectory?) throws {
    self.authority = authority
    self.names = names
    self.state = state
    // A file that cannot be read is replaced: nothing in it is lost.
    if let data = try state?.read(Self.fileName), let pair = try? KeyedCertificate(pem: Array(data)),
      authority.vouches(for: pair.certificate, names: names)
    {
      self.pair = pair
      return
    }
    pair = authority.issue(for: names)
    try state?.write(Data(pair.pem), to: Self.fileName)
  }

  /// The next certificate. It is from the same authority, unless that expires soon too. Throws ``FootbridgeError``.
  func renewed(at now: Date) throws -> LocalCertificate {
    try LocalCertificate(authority.at(now) ?? LocalAuthority(for: names, state: state, now: now), for: names, in: state)
  }

  /// When it expires.
  var end: Date { pair.certificate.end }

  /// When to create the next one.
  var renewalDate: Date { end.addingTimeInterval(-LocalAuthority.renewalTime) }

  /// The certificate and key that connections use.
  func context() throws -> TLSContext {
    // Sends the authority's certificate too: Chromium then finds the key that its flag accepts.
    let chain = pair.certificate.pem + authority.certificate.pem
    return try TLSContext.server(certificateChain: chain, privateKey: pair.key.pem)
  }
}

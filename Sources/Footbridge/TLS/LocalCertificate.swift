import Foundation
import WebServer
import X509

/// A server's certificate of the local authority, with what it takes to make the next one.
struct LocalCertificate: Sendable {
  /// The file in the state directory with the server's key and certificate.
  static let fileName = "tls-certificate.pem"

  /// Who vouches for it.
  let authority: LocalAuthority
  private let names: [CertificateName]
  private let state: StateDirectory?
  private let pair: KeyedCertificate

  /// The certificate of the state directory if it still serves; a new one otherwise, which then takes its place. Throws ``FootbridgeError``.
  init(for names: [CertificateName], in state: StateDirectory?, now: Date) throws {
    try self.init(LocalAuthority(for: names, state: state, now: now), for: names, in: state)
  }

  private init(_ authority: LocalAuthority, for names: [CertificateName], in state: StateDirectory?) throws {
    self.authority = authority
    self.names = names
    self.state = state
    // One that cannot be read is as good as none: everything in it can be made anew.
    if let data = try state?.read(Self.fileName), let pair = try? KeyedCertificate(pem: data),
      authority.vouches(for: pair.certificate, names: names)
    {
      self.pair = pair
      return
    }
    pair = try authority.issue(for: names)
    try state?.write(Data(try pair.pem()), to: Self.fileName)
  }

  /// The next certificate: of the same authority, unless that has come near its end as well. Throws ``FootbridgeError``.
  func renewed(at now: Date) throws -> LocalCertificate {
    try LocalCertificate(authority.at(now) ?? LocalAuthority(for: names, state: state, now: now), for: names, in: state)
  }

  /// When it ends.
  var end: Date { pair.certificate.notValidAfter }

  /// When the next one is due.
  var renewalDate: Date { end.addingTimeInterval(-LocalAuthority.renewalTime) }

  /// What connections are made with.
  func context() throws -> TLSContext {
    // The authority goes along: Chromium then finds its key among those that it was told to take.
    let chain = Array((try pair.certificate.serializeAsPEM().pemString + "\n").utf8) + (try authority.certificatePEM())
    return try TLSContext.server(certificateChain: chain, privateKey: Array(pair.key.pemRepresentation.utf8))
  }
}

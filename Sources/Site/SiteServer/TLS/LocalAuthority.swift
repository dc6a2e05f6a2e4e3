import BridgeRuntime
package import Cryptography
package import Essentials
import Logging
package import Sessions
import WebServer

/// The certificate authority of a state directory, or of all projects of a user. It signs certificates only for the servers of that
/// directory or those projects, and only for their names (``AuthorityNames``).
///
/// It is created once, so that people need to trust it only once. It is replaced if a server has a name that it may not sign for. Without a
/// directory, it ends with the process.
package struct LocalAuthority: Sendable {
  /// The file in the state directory with the key and the certificate.
  static let fileName = "tls-authority.pem"
  /// The file with only the certificate, for browsers.
  package static let certificateFileName = "tls-authority.crt"

  /// The validity of an authority: ten years, because people must trust each new one.
  static let lifetime: TimeInterval = 3650 * 86_400
  /// The validity of a server's certificate. Browsers refuse more than 398 days.
  static let certificateLifetime: TimeInterval = 397 * 86_400
  /// The time between the replacement of a certificate and its end.
  static let renewalTime: TimeInterval = 30 * 86_400

  private let pair: KeyedCertificate
  private let now: Date
  /// The name of the authority that this one has just replaced; nil for none. Nobody should trust it any longer.
  package let replacedName: String?

  /// Reads the authority of a state directory, or creates it. It replaces an authority that ends soon, that may not sign for one of these
  /// names, or whose names are not limited. The key of the old authority is deleted.
  ///
  /// Throws ``StateError/unusable(_:reason:)``. A file without an authority stays unchanged: it may be damaged.
  package init(for names: [CertificateName], state: (any StateStorage)?, now: Date) throws {
    self.now = now
    let wanted = AuthorityNames(names)
    guard let state = try state?.authorityStorage() else {
      pair = Self.make(for: wanted, now: now)
      replacedName = nil
      return
    }
    // Servers of other projects may start at the same time.
    let lock = try state.lock("footbridge-authority.lock")
    defer { withExtendedLifetime(lock) {} }
    var pair = try Self.read(try state.read(Self.fileName) ?? Self.create(for: wanted, in: state, now: now), in: state)
    let permitted = AuthorityNames(pair.certificate)
    let isWideEnough = permitted.map { permitted in names.allSatisfy { permitted.covers($0) } } ?? false
    if isWideEnough, pair.certificate.isValid(at: now, andFor: Self.renewalTime) {
      replacedName = nil
    } else {
      replacedName = Self.name(of: pair)
      // The new authority keeps the former names: several servers may take turns in the folder, and people must trust each new authority.
      pair = Self.make(for: permitted.map { wanted.union($0) } ?? wanted, now: now)
      try state.write(Data(pair.pem), to: Self.fileName)
    }
    self.pair = pair
    let certificate = Data(pair.certificate.pem)
    if try state.read(Self.certificateFileName) != certificate {
      try state.write(certificate, to: Self.certificateFileName)
    }
  }

  private init(_ pair: KeyedCertificate, now: Date) {
    self.pair = pair
    self.now = now
    replacedName = nil
  }

  /// The same authority at another time; nil if it ends soon after.
  func at(_ now: Date) -> LocalAuthority? {
    pair.certificate.isValid(at: now, andFor: Self.renewalTime) ? LocalAuthority(pair, now: now) : nil
  }

  /// The authority's certificate.
  package var certificate: Certificate { pair.certificate }

  /// The authority's name. People find it in lists of authorities by this name.
  package var name: String { Self.name(of: pair) }

  private static func name(of pair: KeyedCertificate) -> String {
    pair.certificate.commonName ?? ""
  }

  /// The names and addresses that it may sign for, as text.
  package var permittedNames: [String] { AuthorityNames(pair.certificate)?.texts ?? [] }

  /// Whether a certificate is signed by this authority, is for all these names, and does not end soon.
  func vouches(for certificate: Certificate, names: [CertificateName]) -> Bool {
    let subjects = certificate.alternativeNames
    return certificate.isValid(at: now, andFor: Self.renewalTime)
      && certificate.isIssued(by: pair.certificate)
      && names.allSatisfy { subjects.contains($0.generalName) }
  }

  /// Creates a server's certificate for these names. The first becomes its subject.
  func issue(for names: [CertificateName]) -> KeyedCertificate {
    let key = P256Key()
    let draft = CertificateDraft(
      commonName: names.first?.text ?? "localhost", for: .server(names.map(\.generalName)), from: Self.start(now),
      to: min(now.addingTimeInterval(Self.certificateLifetime), pair.certificate.end))
    return KeyedCertificate(draft.signed(for: key, by: pair.certificate, with: pair.key), key: key)
  }

  /// The TLS context of connections that present a certificate of this authority.
  func context(for pair: KeyedCertificate) throws -> TLSContext {
    // Sends the authority's certificate too: Chromium then finds the key that its flag accepts.
    let chain = pair.certificate.pem + certificate.pem
    return try TLSContext.server(certificateChain: chain, privateKey: pair.key.pem)
  }

  /// Logs that people must trust this authority instead of the former one.
  func warnOfReplacement(_ logger: Logger) {
    guard let replacedName else { return }
    logger.warning(
      "\"\(name)\" has replaced \"\(replacedName)\", which could not sign for this server, or could sign for any site. Trust the new one and remove the old one: see footbridge trust."
    )
  }

  private static func make(for names: AuthorityNames, now: Date) -> KeyedCertificate {
    let key = P256Key()
    // Some programs look up certificates by name, and would confuse two authorities with the same name.
    let mark = Hexadecimal.text(Array(SHA256.hash(key.coordinates.x + key.coordinates.y).prefix(4)))
    let draft = CertificateDraft(
      commonName: "Footbridge local authority \(mark)", for: .authority(permitted: names.generalNames),
      from: start(now), to: now.addingTimeInterval(lifetime))
    return KeyedCertificate(draft.selfSigned(with: key), key: key)
  }

  private static func create(for names: AuthorityNames, in state: any StateStorage, now: Date) throws -> Data {
    try state.read(fileName, orCreate: make(for: names, now: now).pem)
  }

  private static func read(_ data: Data, in state: any StateStorage) throws -> KeyedCertificate {
    do {
      return try KeyedCertificate(pem: Array(data))
    } catch {
      throw StateError.unusable(
        state.place(of: fileName),
        reason: "It does not contain a certificate authority. Delete it to get a new one, which people must then trust."
      )
    }
  }

  /// Clocks differ: a new certificate is valid on a machine that is an hour behind.
  private static func start(_ now: Date) -> Date { now.addingTimeInterval(-3600) }
}

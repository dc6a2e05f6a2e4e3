import BridgeRuntime
import Foundation
import Logging
import WebServer
import X509

/// What the server shows on TLS: the developer's own certificate (`--tls-cert`, `--tls-key`), or one of the local authority.
struct ServerCertificate {
  /// The file in the state directory with the server's key and certificate.
  static let fileName = "tls-certificate.pem"

  /// What the server's connections are made with.
  let context: TLSContext
  /// The hash of the public key by which Chromium can be told to take the certificate: the authority's, which outlives certificates, or that
  /// of the developer's own. Nil when that one's key is of a kind that is not known here.
  let publicKeyHash: String?

  /// Reads or makes what the options ask for; nil without `--tls-port`. Throws ``FootbridgeError``.
  init?(_ options: FootbridgeOptions, _ state: StateDirectory?, _ logger: Logger, now: BridgeInstant) throws {
    guard options.tlsPort != nil else { return nil }
    let now = Date(timeIntervalSince1970: now.millisecondsSinceEpoch / 1000)
    if let own = try OwnCertificate(options) {
      context = try own.context()
      publicKeyHash = own.publicKeyHash
      if let end = own.end, end < now {
        logger.warning("The certificate of --tls-cert has expired. Browsers will refuse it.")
      }
    } else {
      let authority = try LocalAuthority(state: state, now: now)
      context = try Self.context(authority, Self.pair(of: authority, for: Self.names(options), state))
      publicKeyHash = try authority.certificate.publicKeyHash()
    }
    if let publicKeyHash {
      let metadata: Logger.Metadata = ["spki-sha256": "\(publicKeyHash)"]
      logger.info(
        "Chromium for tests takes the certificate by its hash: see footbridge trust --help.", metadata: metadata)
    }
  }

  /// The names that the server is reached by.
  static func names(_ options: FootbridgeOptions) throws -> [CertificateName] {
    var hosts = ["localhost", "127.0.0.1", "::1"]
    if let siteOrigin = options.siteOrigin { hosts.append(try HTTPOrigin(siteOrigin: siteOrigin).host) }
    if !AccessPolicy.isEveryAddress(options.host) { hosts.append(options.host) }
    for host in options.allowedHosts { hosts.append(try AllowedHost(host).name) }
    var names: [CertificateName] = []
    for name in hosts.map({ CertificateName($0) }) where !names.contains(name) { names.append(name) }
    return names
  }

  private static func context(_ authority: LocalAuthority, _ pair: KeyedCertificate) throws -> TLSContext {
    // The authority goes along: Chromium then finds its key among those that it was told to take.
    let chain = Array((try pair.certificate.serializeAsPEM().pemString + "\n").utf8) + (try authority.certificatePEM())
    return try TLSContext.server(certificateChain: chain, privateKey: Array(pair.key.pemRepresentation.utf8))
  }

  /// The certificate of the state directory if it still serves; a new one otherwise, which then takes its place.
  private static func pair(of authority: LocalAuthority, for names: [CertificateName], _ state: StateDirectory?) throws
    -> KeyedCertificate
  {
    // One that cannot be read is as good as none: everything in it can be made anew.
    if let data = try state?.read(fileName), let pair = try? KeyedCertificate(pem: data),
      authority.vouches(for: pair.certificate, names: names)
    {
      return pair
    }
    let pair = try authority.issue(for: names)
    try state?.write(Data(try pair.pem()), to: fileName)
    return pair
  }
}

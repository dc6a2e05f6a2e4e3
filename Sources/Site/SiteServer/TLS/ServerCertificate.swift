package import BridgeRuntime
import BridgeServer
import Essentials
package import HTTP1
package import Logging
package import Sessions
package import WebServer

/// The certificate of the server: the developer's own (`--tls-cert`, `--tls-key`), or one from the local authority, which is replaced
/// before it expires.
@BridgeActor
package final class ServerCertificate {
  /// The hash of a public key, for Chromium's flag to accept the certificate: the authority's key, which outlives certificates, or the key
  /// of the developer's own certificate.
  package let publicKeyHash: String
  /// The certificate from the local authority; nil for the developer's own.
  package private(set) var local: LocalCertificate?
  /// The task that creates the next certificate.
  private(set) var renewal: Task<Void, Never>?

  private var context: TLSContext
  private let clock: any BridgeClock
  private let logger: Logger
  /// When to create the next certificate; nil for the developer's own.
  private var renewalDate: Date?

  /// The time to wait after a failure before the next attempt.
  static let retryTime: TimeInterval = 3600

  /// Reads or creates the certificate; nil without `--tls-port`. Throws ``SiteError``.
  package init?(
    _ options: TLSOptions, names: [CertificateName], _ state: (any StateStorage)?, _ logger: Logger,
    clock: any BridgeClock
  ) throws {
    guard options.tlsPort != nil else { return nil }
    self.clock = clock
    self.logger = logger
    let now = Date(clock.now)
    if let own = try OwnCertificate(options) {
      context = own.context
      publicKeyHash = own.certificate.publicKeyHash
      if own.certificate.end < now {
        logger.warning("The certificate of --tls-cert has expired. Browsers will refuse it.")
      }
    } else {
      let local = try LocalCertificate(for: names, in: state, now: now)
      self.local = local
      local.authority.warnOfReplacement(logger)
      context = try local.context()
      renewalDate = local.renewalDate
      publicKeyHash = local.authority.certificate.publicKeyHash
    }
    let metadata: Logger.Metadata = ["spki-sha256": "\(publicKeyHash)"]
    logger.info(
      "Tests can make Chromium accept the certificate by its hash: see footbridge trust --help.", metadata: metadata)
  }

  /// The certificate and key for a new connection.
  ///
  /// If the certificate expires soon, another thread creates the next one. If it has expired, the connection and the loop wait for it.
  package func contextForConnection() -> TLSContext {
    let now = Date(clock.now)
    guard let local, let renewalDate, now >= renewalDate else { return context }
    self.renewalDate = now.addingTimeInterval(Self.retryTime)
    if now >= local.end {
      take(Result { try local.renewed(at: now) })
    } else {
      renewal = Task {
        take(await Task.detached { Result { try local.renewed(at: now) } }.value)
      }
    }
    return context
  }

  private func take(_ renewed: Result<LocalCertificate, any Error>) {
    do {
      let renewed = try renewed.get()
      let context = try renewed.context()
      logger.notice("The certificate for https was about to expire. A new one has replaced it.")
      if renewed.authority.certificate != local?.authority.certificate {
        logger.warning("The authority was about to expire, too. Trust the new one: see footbridge trust.")
      }
      self.context = context
      local = renewed
      renewalDate = renewed.renewalDate
    } catch {
      logger.error("The certificate for https expires soon, and the server cannot create a new one: \(error).")
    }
  }

  /// The names under which clients reach the server.
  package nonisolated static func names(_ options: SiteOptions, siteOrigin: HTTPOrigin?) -> [CertificateName] {
    var hosts = ["localhost", "127.0.0.1", "::1"]
    if let siteOrigin { hosts.append(siteOrigin.host) }
    hosts += options.sites.map(\.origin.host)
    if !ListenAddress.isEvery(options.access.host) { hosts.append(options.access.host) }
    hosts += options.access.allowedHosts.map(\.name)
    var names: [CertificateName] = []
    for name in hosts.map({ CertificateName($0) }) where !names.contains(name) { names.append(name) }
    return names
  }
}

extension Date {
  /// The moment as a `Date`.
  init(_ instant: BridgeInstant) {
    self.init(timeIntervalSince1970: instant.millisecondsSinceEpoch / 1000)
  }
}

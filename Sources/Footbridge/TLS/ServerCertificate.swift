import BridgeRuntime
import Foundation
import HTTP1
import Logging
import WebServer

/// What the server shows on TLS: the developer's own certificate (`--tls-cert`, `--tls-key`), or one of the local authority, which is made
/// anew before its end.
@BridgeActor
final class ServerCertificate {
  /// The hash of the public key by which Chromium can be told to take the certificate: the authority's, which outlives certificates, or that
  /// of the developer's own. Nil when that one's key is of a kind that is not known here.
  let publicKeyHash: String?
  /// The certificate of the local authority; nil for the developer's own.
  private(set) var local: LocalCertificate?
  /// The making of a new one that was begun last.
  private(set) var renewal: Task<Void, Never>?

  private var context: TLSContext
  private let clock: any BridgeClock
  private let logger: Logger
  /// When a new one is made; nil for the developer's own.
  private var renewalDate: Date?

  /// How long after a failure a new one is tried again.
  static let retryTime: TimeInterval = 3600

  /// Reads or makes what the options ask for; nil without `--tls-port`. Throws ``FootbridgeError``.
  init?(_ options: FootbridgeOptions, _ state: StateDirectory?, _ logger: Logger, clock: any BridgeClock) throws {
    guard options.tlsPort != nil else { return nil }
    self.clock = clock
    self.logger = logger
    let now = Date(clock.now)
    if let own = try OwnCertificate(options) {
      context = try own.context()
      publicKeyHash = own.publicKeyHash
      if let end = own.end, end < now {
        logger.warning("The certificate of --tls-cert has expired. Browsers will refuse it.")
      }
    } else {
      let local = try LocalCertificate(for: Self.names(options), in: state, now: now)
      self.local = local
      if let replaced = local.authority.replacedName {
        logger.warning(
          "\"\(local.authority.name)\" has taken the place of \"\(replaced)\", which could not vouch for this server or for too much: trust the new one, and the old one no longer. See footbridge trust."
        )
      }
      context = try local.context()
      renewalDate = local.renewalDate
      publicKeyHash = try local.authority.certificate.publicKeyHash()
    }
    if let publicKeyHash {
      let metadata: Logger.Metadata = ["spki-sha256": "\(publicKeyHash)"]
      logger.info(
        "Chromium for tests takes the certificate by its hash: see footbridge trust --help.", metadata: metadata)
    }
  }

  /// What a new connection is made with.
  ///
  /// Near the certificate's end the next one is made meanwhile, away from the loop. Only one that has ended is of no use to anybody: then
  /// the connection waits for the next one, with the loop.
  func contextForConnection() -> TLSContext {
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
      logger.notice("The certificate for https has come near its end. A new one has taken its place.")
      if renewed.authority.certificate != local?.authority.certificate {
        logger.warning("The authority has come near its end, too: trust the new one, see footbridge trust.")
      }
      self.context = context
      local = renewed
      renewalDate = renewed.renewalDate
    } catch {
      logger.error("The certificate for https comes near its end, and a new one cannot be made: \(error).")
    }
  }

  /// The names that the server is reached by.
  nonisolated static func names(_ options: FootbridgeOptions) throws -> [CertificateName] {
    var hosts = ["localhost", "127.0.0.1", "::1"]
    if let siteOrigin = options.siteOrigin { hosts.append(try HTTPOrigin(siteOrigin: siteOrigin).host) }
    if !AccessPolicy.isEveryAddress(options.host) { hosts.append(options.host) }
    for host in options.allowedHosts { hosts.append(try AllowedHost(host).name) }
    var names: [CertificateName] = []
    for name in hosts.map({ CertificateName($0) }) where !names.contains(name) { names.append(name) }
    return names
  }
}

extension Date {
  /// The moment as Foundation has it.
  fileprivate init(_ instant: BridgeInstant) {
    self.init(timeIntervalSince1970: instant.millisecondsSinceEpoch / 1000)
  }
}

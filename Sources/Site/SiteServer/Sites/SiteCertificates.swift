package import BridgeRuntime
import Cryptography
import Essentials
import HTTP1
package import Logging
package import Sessions
import WebServer

/// The certificates of the listed sites. Each is issued by the local authority when a browser first asks for its site, and kept until it is
/// about to expire.
@BridgeActor
package final class SiteCertificates {
  private struct Leaf {
    let context: TLSContext
    let renewalDate: Date
  }

  /// The hash of the authority's public key.
  package let publicKeyHash: String
  private var authority: LocalAuthority
  private let names: [CertificateName]
  private let state: (any StateStorage)?
  private let clock: any BridgeClock
  private var leaves: [String: Leaf] = [:]
  private var issuing: [String: Task<KeyedCertificate, any Error>] = [:]

  /// Does not create certificates yet. Nil if no site is listed. `authority` is the server's authority; if it is nil, the authority is read
  /// or created. Throws ``SiteError`` or `StateError`.
  package init?(
    _ options: SiteOptions, names: [CertificateName], authority: LocalAuthority?, _ state: (any StateStorage)?,
    _ logger: Logger,
    clock: any BridgeClock
  ) throws {
    if options.sites.isEmpty { return nil }
    self.names = names
    self.state = state
    self.clock = clock
    if let authority {
      self.authority = authority
    } else {
      self.authority = try LocalAuthority(for: names, state: state, now: Date(clock.now))
      self.authority.warnOfReplacement(logger)
    }
    publicKeyHash = self.authority.certificate.publicKeyHash
  }

  /// The certificate of the authority, as PEM.
  package var authorityCertificate: String { String(decoding: authority.certificate.pem, as: UTF8.self) }

  /// The TLS context for connections to a host. A missing certificate is created on another thread. Throws if it cannot be created.
  func context(for host: String) async throws -> TLSContext {
    let now = Date(clock.now)
    if let leaf = leaves[host], now < leaf.renewalDate { return leaf.context }
    // Browsers open several connections at once. All wait for the same certificate.
    let task = try issuing[host] ?? issue(for: host, at: now)
    issuing[host] = task
    defer { issuing[host] = nil }
    let pair = try await task.value
    let leaf = Leaf(
      context: try authority.context(for: pair),
      renewalDate: pair.certificate.end.addingTimeInterval(-LocalAuthority.renewalTime))
    leaves[host] = leaf
    return leaf.context
  }

  private func issue(for host: String, at now: Date) throws -> Task<KeyedCertificate, any Error> {
    let authority = try self.authority.at(now) ?? LocalAuthority(for: names, state: state, now: now)
    self.authority = authority
    return Task.detached { authority.issue(for: [CertificateName(host)]) }
  }
}

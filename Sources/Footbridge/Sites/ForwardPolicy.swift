import BridgeRuntime
import Cryptography
import HTTP1
import HTTPTypes
import WebServer

/// Decides what becomes of a request to the forward proxy. It knows no connections.
struct ForwardPolicy: Sendable {
  /// What a request is about, beside its head.
  struct Circumstances: Sendable {
    /// The client's address, without the port; nil if it is not known.
    var address: String?
    /// Whether the connection uses TLS.
    var isSecure = false
    /// The CONNECT that the connection has begun with.
    var tunnel: Authority?
    /// Whether the server has this name itself.
    var isOwnHost = false
  }

  /// What becomes of a request.
  enum Decision: Sendable, Hashable {
    /// It is for the server itself.
    case own
    /// It is for a listed site.
    case site(ListedSite)
    /// A CONNECT that ends here: the server plays the site.
    case play(ListedSite)
    /// A CONNECT that leads to another server.
    case tunnel(Authority)
    /// A plain request that is passed on to another server.
    case pass(HTTPOrigin)
    /// The site is listed with https, and the request asks for it without.
    case secure(HTTPOrigin)
    /// The proxy wants its password (407).
    case challenge
    /// The request is refused, with a sentence for people.
    case refuse(HTTPResponse.Status, String)
  }

  let sites: [ListedSite]
  let onlySites: Bool
  private let tokenHash: [UInt8]?

  /// Creates the policy. Without a token, only this machine may use the proxy.
  init(sites: [ListedSite], onlySites: Bool, token: Secret?) {
    self.sites = sites
    self.onlySites = onlySites
    tokenHash = token.map { SHA256.hash($0.reveal()) }
  }

  /// Decides about a request.
  func decision(for head: RequestHead, _ circumstances: Circumstances) -> Decision {
    if let authority = circumstances.tunnel {
      return decision(for: head, inTunnelTo: authority, circumstances.isSecure)
    }
    switch head.target {
    case .origin, .asterisk: return .own
    case .absolute where circumstances.isOwnHost: return .own
    case .absolute(let scheme, let authority, _, _):
      if let refusal = refusal(of: head, circumstances) { return refusal }
      guard scheme.lowercased() == "http" else {
        return .refuse(.badRequest, "A proxy gets to \(scheme)://\(authority) by CONNECT only.")
      }
      let origin = HTTPOrigin(isSecure: false, authority: authority)
      if let site = site(at: origin) { return .site(site) }
      if site(at: origin.secured) != nil { return .secure(origin.secured) }
      return onlySites ? Self.unlisted(authority) : .pass(origin)
    case .authority(let authority):
      // Browsers send bytes of the tunnel only after the answer. A body would be bytes of which nobody knows whose they are.
      guard !head.bodyFraming.hasBody else { return .refuse(.badRequest, "A CONNECT has no body.") }
      if let refusal = refusal(of: head, circumstances) { return refusal }
      if let site = sites.first(where: {
        $0.origin.host == authority.host && $0.origin.port == authority.port.map(Int.init)
      }) {
        return .play(site)
      }
      return onlySites ? Self.unlisted(authority) : .tunnel(authority)
    }
  }

  /// A request inside of a tunnel is for the site that the tunnel leads to, and for no other.
  private func decision(for head: RequestHead, inTunnelTo authority: Authority, _ isSecure: Bool) -> Decision {
    let tunnel = HTTPOrigin(isSecure: isSecure, authority: authority)
    guard head.method != .connect, let site = site(at: tunnel), let asked = head.authority,
      HTTPOrigin(isSecure: isSecure, authority: asked) == tunnel
    else {
      return .refuse(.misdirectedRequest, "This connection leads to \(authority) only.")
    }
    if case .absolute(let scheme, _, _, _) = head.target, (scheme.lowercased() == "https") != isSecure {
      return .refuse(.misdirectedRequest, "This connection leads to \(tunnel) only.")
    }
    return .site(site)
  }

  private func refusal(of head: RequestHead, _ circumstances: Circumstances) -> Decision? {
    guard !circumstances.isSecure else {
      return .refuse(
        .badRequest, "This port is no proxy. Use the port for plain http as the proxy: it takes https inside.")
    }
    if let tokenHash {
      guard let password = ProxyCredentials(head.fields)?.password,
        areEqualInConstantTime(SHA256.hash(password), tokenHash)
      else { return .challenge }
      return nil
    }
    guard Self.isOnThisMachine(circumstances.address) else {
      return .refuse(
        .forbidden, "Without \(ServerOption.siteToken.flag), only programs on the same machine may use this proxy.")
    }
    return nil
  }

  private func site(at origin: HTTPOrigin) -> ListedSite? { sites.first { $0.origin == origin } }

  private static func unlisted(_ authority: Authority) -> Decision {
    .refuse(
      .forbidden,
      "\(authority) is not listed, and this proxy leads to listed sites only. List it with \(ServerOption.site.flag), or start without \(ServerOption.onlySites.flag)."
    )
  }

  private static let loopback = [AddressRange("127.0.0.0/8"), AddressRange("::1")].compactMap(\.self)

  /// Whether the address of a client is one of this machine that no other machine has.
  static func isOnThisMachine(_ address: String?) -> Bool {
    address.map { address in loopback.contains { $0.contains(address) } } ?? false
  }
}

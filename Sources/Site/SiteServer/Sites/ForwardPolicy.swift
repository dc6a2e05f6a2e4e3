import BridgeRuntime
import Cryptography
import HTTP1
import HTTPTypes
import WebServer

/// Decides how the forward proxy handles a request. It is a pure function, without connections.
struct ForwardPolicy: Sendable {
  /// The facts about a request besides its head.
  struct Circumstances: Sendable {
    /// The client's address, without the port; nil if it is not known.
    var address: String?
    /// Whether the connection uses TLS.
    var isSecure = false
    /// The target of the CONNECT that began the connection; nil without one.
    var tunnel: Authority?
    /// Whether the host of the request is the server's own name.
    var isOwnHost = false
  }

  /// The ways to handle a request.
  enum Decision: Sendable, Hashable {
    /// It is for the server itself.
    case own
    /// It is for a listed site.
    case site(ListedSite)
    /// A CONNECT to a listed site: the server ends the tunnel here, and simulates the site's server.
    case simulate(ListedSite)
    /// A CONNECT that leads to another server.
    case tunnel(Authority)
    /// A plain request that is passed on to another server.
    case pass(HTTPOrigin)
    /// The site is listed with https, but the request is for plain http.
    case secure(HTTPOrigin)
    /// The proxy needs its password (407).
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
        return .refuse(.badRequest, "Use CONNECT to reach \(scheme)://\(authority) through this proxy.")
      }
      let origin = HTTPOrigin(isSecure: false, authority: authority)
      if let site = site(at: origin) { return .site(site) }
      if site(at: origin.secured) != nil { return .secure(origin.secured) }
      return onlySites ? Self.unlisted(authority) : .pass(origin)
    case .authority(let authority):
      // Browsers send bytes of the tunnel only after the response. Bytes before it could belong to the request or to the tunnel.
      guard !head.bodyFraming.hasBody else { return .refuse(.badRequest, "A CONNECT has no body.") }
      if let refusal = refusal(of: head, circumstances) { return refusal }
      if let site = sites.first(where: {
        $0.origin.host == authority.host && $0.origin.port == authority.port.map(Int.init)
      }) {
        return .simulate(site)
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
        .badRequest, "This port is not a proxy. Use the port for plain http as the proxy, also for https sites.")
    }
    if let tokenHash {
      guard let password = ProxyCredentials(head.fields)?.password,
        areEqualInConstantTime(SHA256.hash(password), tokenHash)
      else { return .challenge }
      return nil
    }
    guard Self.isOnThisMachine(circumstances.address) else {
      return .refuse(
        .forbidden, "Without --site-token, only programs on the same machine may use this proxy.")
    }
    return nil
  }

  private func site(at origin: HTTPOrigin) -> ListedSite? { sites.first { $0.origin == origin } }

  private static func unlisted(_ authority: Authority) -> Decision {
    .refuse(
      .forbidden,
      "\(authority) is not listed, and this proxy leads to listed sites only. List it with --site, or start without --only-sites."
    )
  }

  private static let loopback = [AddressRange("127.0.0.0/8"), AddressRange("::1")].compactMap(\.self)

  /// Whether the address of a client is a loopback address.
  static func isOnThisMachine(_ address: String?) -> Bool {
    address.map { address in loopback.contains { $0.contains(address) } } ?? false
  }
}

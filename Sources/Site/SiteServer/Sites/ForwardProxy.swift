package import BridgeRuntime
import HTTP1
import HTTPTypes
package import Logging
package import Sessions
package import WebServer

/// The forward proxy (`--site`). Browsers that use it see listed sites under their own origins, with the shim in their documents. Other
/// sites pass through unchanged.
@BridgeActor
package final class ForwardProxy {
  /// The result of receiving a request.
  package enum Reception {
    /// The request is answered already.
    case answered
    /// The request is for the server itself.
    case own
    /// The request is for a listed site. The reverse proxy answers it.
    case site(ReverseProxy)
  }

  /// The listed sites.
  let sites: [ListedSite]
  private let certificates: SiteCertificates
  private let policy: ForwardPolicy
  private let proxies: [ListedSite: ReverseProxy]
  private let localClient: HTTPClient
  private let remoteClient: HTTPClient
  private let pseudonym: String
  private let logger: Logger

  /// Creates the proxy; nil without certificates, since no site is listed. Throws ``SiteError``, or `HTTPServerError` when the loop cannot start.
  package init?(
    _ options: SiteOptions, _ sessions: SessionOptions, certificates: SiteCertificates?, admission: DocumentAdmission,
    random: BridgeRandom,
    logger: Logger
  ) throws {
    guard let certificates else { return nil }
    sites = options.sites
    self.certificates = certificates
    policy = ForwardPolicy(sites: sites, onlySites: options.onlySites, token: options.siteToken)
    var proxies: [ListedSite: ReverseProxy] = [:]
    for site in sites {
      var (options, sessions) = (options, sessions)
      sessions.siteOrigin = site.origin
      (options.upstream.proxy, options.upstream.routes) = (site.upstream, [:])
      // By default, the upstream server gets the site's own name.
      options.upstream.proxyHost = options.upstream.proxyHost ?? .keep
      proxies[site] = try ReverseProxy(
        options, sessions, site: site, admission: admission, random: random, logger: logger)
    }
    self.proxies = proxies
    var limits = HTTPClientLimits()
    limits.responseTimeout = options.upstream.proxyTimeout
    localClient = try HTTPClient(limits: limits, forbidden: .ofLocalProxy)
    remoteClient = try HTTPClient(limits: limits, forbidden: .ofRemoteProxy)
    pseudonym = SessionCookie.proxyPrefix + random.token().prefix(8)
    self.logger = logger
  }

  /// Closes all connections.
  package func stop() {
    for proxy in proxies.values { proxy.stop() }
    localClient.stop()
    remoteClient.stop()
  }

  /// Handles a request. `isOwnHost` tells whether the host is the server's own name.
  package func receive(_ exchange: HTTPExchange, isOwnHost: Bool) async -> Reception {
    let head = exchange.head
    let decision = policy.decision(
      for: head,
      ForwardPolicy.Circumstances(
        address: exchange.connectionAddress, isSecure: exchange.isSecure, tunnel: exchange.tunnel?.authority,
        isOwnHost: isOwnHost))
    switch decision {
    case .own: return .own
    case .site(let site):
      guard let proxy = proxies[site], enterSession(exchange) else { return .answered }
      return .site(proxy)
    case .simulate(let site): await simulate(site, exchange)
    case .tunnel(let authority): await tunnel(exchange, to: authority)
    case .pass(let origin): await pass(exchange, to: origin)
    case .secure(let origin):
      let location = origin.description + (head.target.path ?? "/") + (head.target.query.map { "?" + $0 } ?? "")
      exchange.respondText(
        .temporaryRedirect, "This site is listed at \(origin).",
        fields: [.location: location, .cacheControl: "no-store"])
    case .challenge:
      refuse(
        exchange, .proxyAuthenticationRequired, "This proxy needs its password (--site-token).",
        fields: [.proxyAuthenticate: "Basic realm=\"Footbridge\", charset=\"UTF-8\""])
    case .refuse(let status, let text):
      logger.notice("refused", metadata: ["target": "\(head.target.authorityText)", "reason": "\(text)"])
      refuse(exchange, status, text)
    }
    return .answered
  }

  // MARK: Sites

  /// The reverse proxy for a request that another replica has received; nil if no listed site has its origin.
  package func proxy(for exchange: HTTPExchange) -> ReverseProxy? {
    guard let authority = exchange.head.authority else { return nil }
    let origin = HTTPOrigin(isSecure: exchange.isSecure, authority: authority)
    return sites.first { $0.origin == origin }.flatMap { proxies[$0] }
  }

  /// Simulates the server of a site on the connection.
  private func simulate(_ site: ListedSite, _ exchange: HTTPExchange) async {
    guard case .authority(let authority) = exchange.head.target else { return }
    let tunnel = ConnectTunnel(authority: authority, note: ProxyCredentials(exchange.head.fields)?.cookieValue)
    guard site.origin.isSecure else { return exchange.serveTunnel(as: tunnel, tls: nil) }
    do {
      exchange.serveTunnel(as: tunnel, tls: try await certificates.context(for: site.origin.host))
    } catch {
      logger.error("The certificate of \(site.origin) cannot be made: \(error).")
      refuse(exchange, .badGateway, "The certificate of \(site.origin) cannot be made. The log of Footbridge says why.")
    }
  }

  /// Puts a request into the session that the proxy credentials name, as if the browser had its cookie. Returns false if the request is
  /// answered with an error.
  private func enterSession(_ exchange: HTTPExchange) -> Bool {
    let head = exchange.head
    let value = exchange.tunnel.map(\.note) ?? ProxyCredentials(head.fields)?.cookieValue
    var fields = Array(head.fields).filter { $0.name != .proxyAuthorization }
    if let value {
      let cookie = SessionCookie(in: head.fields)
      fields = fields.compactMap { $0.name == .cookie ? cookie.removed(from: $0) : $0 }
      fields.append(HTTPField(name: .cookie, value: "\(cookie.name(isSecure: exchange.isSecure))=\(value)"))
    }
    guard fields.count != head.fields.count || value != nil else { return true }
    do throws(MessageDefect) {
      try exchange.replaceFields(HTTPFields(inOrder: fields))
      return true
    } catch {
      exchange.respondText(.badRequest, error.description)
      return false
    }
  }

  // MARK: The server itself

  /// Answers a request for a page of the server itself. A proxy has no pages, so the answer explains how to use it.
  package func answerForItself(_ exchange: HTTPExchange) {
    let list = sites.map { "  \($0.origin)\n" }.joined()
    exchange.respondText(
      .notFound,
      "This server is a proxy. Browsers that use it see these sites with the shim:\n\n\(list)\nThe server has printed the flags for Chromium; other browsers take the script /__footbridge/proxy.pac."
    )
  }

  /// Serves the script that makes a browser or system use the proxy.
  package func answerAutoConfiguration(_ exchange: HTTPExchange) {
    guard exchange.allows([.get, .head]) else { return }
    guard exchange.tunnel == nil, !exchange.isSecure, let authority = exchange.head.authority else {
      return exchange.respondText(.notFound, "This port is not a proxy. Use the port for plain http.")
    }
    let script = BrowserFlags(sites, onlySites: policy.onlySites)
      .autoConfiguration(proxy: authority.rawValue + (authority.port == nil ? ":80" : ""))
    exchange.respond(
      .ok, fields: [.contentType: "application/x-ns-proxy-autoconfig", .cacheControl: "no-cache"],
      body: Array(script.utf8))
  }

  // MARK: Other servers

  private func tunnel(_ exchange: HTTPExchange, to authority: Authority) async {
    do {
      try await exchange.tunnel(to: authority, by: client(for: exchange))
    } catch HTTPExchangeError.tooManyTunnels {
      refuse(exchange, .serviceUnavailable, "This proxy has reached its limit of tunnels (limits.tunnels).")
    } catch {
      answer(exchange, error, HTTPOrigin(isSecure: true, authority: authority))
    }
  }

  private func pass(_ exchange: HTTPExchange, to origin: HTTPOrigin) async {
    guard !(exchange.head.fields[.via]?.contains(pseudonym) ?? false) else {
      return refuse(
        exchange, .loopDetected, "\(origin) leads back to this proxy.")
    }
    do {
      try await PassedRequest(pseudonym: pseudonym, origin: origin, client: client(for: exchange)).answer(exchange)
    } catch {
      // Returning cuts off a response that has begun, so that the client knows that it is incomplete.
      guard !exchange.hasBegun else { return }
      answer(exchange, error, origin)
    }
  }

  private func client(for exchange: HTTPExchange) -> HTTPClient {
    ForwardPolicy.isOnThisMachine(exchange.connectionAddress) ? localClient : remoteClient
  }

  private func answer(_ exchange: HTTPExchange, _ error: any Error, _ origin: HTTPOrigin) {
    if case HTTPClientError.refused(_, let reason) = error {
      let text = "\(error)" + (reason == .privateName ? " List its origin with --site, or use the address." : "")
      logger.notice("refused", metadata: ["target": "\(origin)", "reason": "\(text)"])
      return refuse(exchange, .forbidden, text)
    }
    let problem = UpstreamProblem(error, origin: origin)
    logger.debug("\(problem.description)")
    refuse(exchange, problem.status, problem.description)
  }

  /// Refuses a request. A refused CONNECT closes the connection: bytes after it may belong to the tunnel, and must not be read as a
  /// request.
  private func refuse(
    _ exchange: HTTPExchange, _ status: HTTPResponse.Status, _ text: String, fields: HTTPFields = [:]
  ) {
    exchange.closesConnection = exchange.head.method == .connect || exchange.head.bodyFraming.hasBody
    var fields = fields
    if status == .serviceUnavailable { fields[.retryAfter] = "1" }
    exchange.respondText(status, text, fields: fields)
  }
}

extension RequestTarget {
  /// The host and port of the target. Leaves out the path, which may contain secrets.
  fileprivate var authorityText: String {
    switch self {
    case .absolute(_, let authority, _, _), .authority(let authority): authority.rawValue
    case .origin, .asterisk: "this server"
    }
  }
}

package import BridgeRuntime
import ContentDecoding
import HTMLInjection
import HTTP1
import HTTPTypes
package import Logging
package import Sessions
package import WebServer

/// The reverse proxy (`--proxy`, `routes:`). It streams requests and responses, and puts the shim into documents.
@BridgeActor
package final class ReverseProxy {
  private let routes: ProxyRoutes
  private let siteOrigin: HTTPOrigin?
  private let proxyHost: ProxyHost?
  private let excluded: ExcludedPaths
  private let rewritesLinks: Bool
  private let requestFields: FieldChanges
  private let responseFields: FieldChanges
  private let phone: Phone?
  private let listedSite: ListedSite?
  private let admission: DocumentAdmission
  private let random: BridgeRandom
  private let logger: Logger
  private let client: HTTPClient
  private let pseudonym: String
  private var saidOnce: Set<String> = []
  private let browserCookies = BrowserCookies()

  /// The maximum size of a response's head, as in Chromium.
  private static let headByteLimit = 256 << 10
  /// The maximum number of fields in a response.
  private static let fieldLimit = 5_000

  /// The maximum time that a client waits for 100 (Continue). The upstream may ignore the expectation (RFC 9110, section 10.1.1).
  private static let continueTimeout = Duration.seconds(1)

  /// Creates the proxy; nil if there are no routes. With `site`, it simulates the server of that site. Throws ``SiteError``.
  package init?(
    _ options: SiteOptions, _ sessions: SessionOptions, site: ListedSite? = nil, admission: DocumentAdmission,
    random: BridgeRandom, logger: Logger
  ) throws {
    listedSite = site
    let upstream = options.upstream
    routes = try ProxyRoutes(proxy: upstream.proxy, routes: upstream.routes)
    guard !routes.isEmpty else { return nil }
    siteOrigin = sessions.siteOrigin
    proxyHost = upstream.proxyHost
    rewritesLinks = upstream.proxyRewritesLinks
    excluded = options.excludedPaths
    requestFields = upstream.requestHeaders
    responseFields = options.responseHeaders
    phone = options.phone.onlyReports ? nil : options.phone.like
    self.admission = admission
    self.random = random
    self.logger = logger
    var limits = HTTPClientLimits()
    limits.responseTimeout = upstream.proxyTimeout
    limits.silence = sessions.limits.upstreamSilence
    limits.pingTimeout = sessions.limits.upstreamPingTimeout
    // Accepts malformed responses that a browser would accept.
    limits.http.mendsResponses = true
    limits.http.headBytes = Self.headByteLimit
    limits.http.startLineBytes = Self.headByteLimit
    limits.http.fieldCount = Self.fieldLimit
    client = try HTTPClient(
      limits: limits, trust: upstream.proxyInsecure ? .anyoneNearby : .system, offersHTTP2: !upstream.proxyHTTP1)
    // If a request has this name in `Via`, there is a loop.
    pseudonym = SessionCookie.proxyPrefix + random.token().prefix(8)
  }

  /// Closes all connections.
  package func stop() {
    client.stop()
  }

  /// Whether another server serves a path.
  package func forwards(_ path: String) -> Bool { routes.route(for: path) != nil }

  /// Forwards a request and answers it. Returns false if no other server serves its path.
  package func answer(_ exchange: HTTPExchange) async -> Bool {
    let head = exchange.head
    let path = head.target.path
    guard let route = path.map({ routes.route(for: $0) }) ?? (head.target == .asterisk ? routes.rootRoute : nil) else {
      return false
    }
    if head.fields[.via]?.contains(pseudonym) ?? false {
      exchange.respondText(
        .loopDetected,
        "\(route.origin) leads back to this server. Set --proxy to the address of the site itself."
      )
    } else if let hops = MaximumForwards(head), hops.isLast {
      hops.answer(exchange)
    } else {
      // No time limit of our own: the upstream server and the browser have theirs.
      exchange.hasNoTimeout = true
      await forward(exchange, on: route)
    }
    return true
  }

  // MARK: Passing on

  private func forward(_ exchange: HTTPExchange, on route: ProxyRoute) async {
    let addresses = SiteAddresses(
      scheme: exchange.isSecure ? "https" : "http",
      authority: exchange.head.authority,
      route: route,
      routes: routes,
      siteOrigin: siteOrigin,
      proxyHost: proxyHost,
      listedSite: listedSite
    )
    let cookies: (any SiteCookies)?
    do {
      cookies = exchange.head.fields.contains(.cookie) ? try await self.cookies(of: exchange, addresses) : nil
    } catch {
      // Without its cookies, the site would take the person for somebody else.
      if !(error is StoreUnavailable) { logger.error("The state of a session cannot be read: \(error)") }
      return exchange.respondText(.serviceUnavailable, UnreadableSession.text, fields: [.retryAfter: "1"])
    }
    let requested = RequestedDocument(
      exchange.head, isSecure: exchange.isSecure,
      isExcluded: exchange.head.target.path.map { excluded.contains($0) } ?? false,
      isByWorker: admission.workers.made(exchange.head))
    admission.workers.note(exchange.head)
    if await admission.answerByRule(exchange, requested) { return }
    let sessionCookie = SessionCookie(in: exchange.head.fields)
    do {
      let request = UpstreamRequest(
        pseudonym: pseudonym,
        addresses: addresses,
        clientAddress: exchange.peerAddress,
        requested: requested,
        sessionCookie: sessionCookie,
        cookie: cookies?.field(insteadOf: exchange.head.fields[fields: .cookie]),
        phone: phone,
        userAgent: userAgent(for: exchange),
        launch: admission.launchRequest(requested, exchange),
        changes: requestFields
      )
      let response = UpstreamResponse(
        addresses: addresses, sessionCookie: sessionCookie, cookies: cookies, requested: requested,
        request: exchange.head, browserCookies: browserCookies, changes: responseFields)
      try await send(exchange, as: try request.head(for: exchange.head), response)
    } catch {
      let problem = UpstreamProblem(error, origin: route.origin)
      if error is ContentDecodingError, exchange.hasBegun {
        logger.warning("\(problem.description)", metadata: ["path": "\(exchange.head.target.path ?? "*")"])
      }
      // Returning cuts off a response that has begun, so that the client knows that it is incomplete.
      guard !exchange.hasBegun else { return }
      if exchange.peerHasEnded { return exchange.respond(.clientClosedRequest) }
      if error as? HTTPClientError != .cancelled {
        logger.warning("\(problem.description)", metadata: ["path": "\(exchange.head.target.path ?? "*")"])
      }
      problem.answer(exchange)
    }
  }

  /// The additions to the user agent by the bridges of the browser's session; nil for none.
  private func userAgent(for exchange: HTTPExchange) -> String? {
    let session = admission.sessions.running(exchange.sessionCookie)
    return (session?.bridgeTable ?? admission.sessions.bridgeTable).userAgent
  }

  /// The cookies of the browser's session; nil without a session.
  ///
  /// - Throws: An error if the store cannot be read.
  private func cookies(of exchange: HTTPExchange, _ addresses: SiteAddresses) async throws -> (any SiteCookies)? {
    let head = exchange.head
    guard let cookie = exchange.sessionCookie, let url = addresses.siteURL(of: head.target) else { return nil }
    if let session = admission.sessions.running(cookie) { return session.siteCookies(for: head, at: url) }
    return try await admission.sessions.known(cookie)?.siteCookies(for: head, at: url)
  }

  private func send(_ exchange: HTTPExchange, as head: RequestHead, _ response: UpstreamResponse) async throws {
    let upstream = client.send(head, to: response.addresses.route.origin)
    exchange.follow(upstream)
    let upload = Upload(from: exchange, to: upstream)
    defer { upload.stop() }
    if exchange.head.expectsContinue { upload.start(after: Self.continueTimeout) } else { upload.start() }
    while true {
      let answer = try await upstream.nextHead()
      if answer.endsHTTP {
        exchange.tunnel(to: upstream, fields: switchingFields(answer, response))
        return
      } else if answer.status.code == 100, exchange.head.expectsContinue {
        // Reading the body answers the expectation.
        upload.start()
      } else if answer.status.kind == .informational {
        exchange.inform(answer.status, fields: HTTPFields(inOrder: response.fields(of: answer)))
      } else {
        upload.stopWaiting()
        return try await relay(answer, of: upstream, to: exchange, response, head)
      }
    }
  }

  private func relay(
    _ answer: ResponseHead,
    of upstream: HTTPClientExchange,
    to exchange: HTTPExchange,
    _ response: UpstreamResponse,
    _ request: RequestHead
  ) async throws {
    let addresses = response.addresses
    for defect in answer.mended {
      sayOnce(
        "mended \(defect)",
        "\(addresses.route.origin) sends a malformed response, which Footbridge corrects. \(defect.description)")
    }
    if let redirect = NativeRedirect(answer.status, answer.fields),
      await admission.handOver(redirect, response.requested, exchange)
    {
      upstream.cancel()
      let fields = response.fields(of: answer)
      response.remember(fields, of: answer)
      return exchange.respond(.noContent, fields: NativeRedirect.fields(insteadOf: fields))
    }
    let injected = InjectedResponse(answer, requested: response.requested)
    if injected.isUnreadableDocument {
      sayOnce(
        "encoded",
        "The shim is missing in documents of \(addresses.route.origin): the server uses a content coding that Footbridge cannot decode, although the request excludes it. Switch off that coding in the server."
      )
    }
    if !response.requested.isExcluded, answer.status == .ok, answer.bodyFraming != .none, injected.isReadable,
      let workerStart = admission.workerStart(of: exchange)
    {
      let upstreamFields = response.fields(of: answer)
      response.remember(upstreamFields, of: answer)
      let body = UpstreamBody(upstream: upstream, decoder: injected.decoder)
      let start = workerStart.added(to: try await body.nextPiece() ?? [])
      return try await send(
        answer, body, to: exchange, fields: injected.mended(upstreamFields), startingWith: start, through: nil)
    }
    let sniffed = injected.mustBeSniffed ? try await sniff(upstream) : nil
    var start = sniffed?.bytes ?? []
    var isFragment = false
    if response.requested.isByWorker, injected.isInjected, injected.decoder == nil, answer.bodyFraming != .none {
      (start, isFragment) = try await readStart(upstream)
    }
    guard injected.isInjected && !isFragment || sniffed?.verdict == .html else {
      let upstreamFields = response.fields(of: answer)
      response.remember(upstreamFields, of: answer)
      let fields = injected.unchanged(upstreamFields)
      return try await send(
        answer, UpstreamBody(upstream: upstream), to: exchange, fields: fields, startingWith: start, through: nil)
    }
    if answer.status == .partialContent, request.fields.contains(.range) {
      // The upstream server would cut the range from the document without the shim.
      upstream.cancel()
      return try await send(exchange, as: try UpstreamRequest.withoutRange(request), response)
    }
    let upstreamFields = response.fields(of: answer)
    var fields = injected.mended(upstreamFields)
    guard answer.bodyFraming != .none else {
      response.remember(upstreamFields, of: answer)
      return try await send(answer, UpstreamBody(upstream: upstream), to: exchange, fields: fields, through: nil)
    }
    let body = UpstreamBody(upstream: upstream, decoder: injected.decoder)
    let contentTypes = answer.fields[values: .contentType]
    var contentType = contentTypes.last ?? ""
    if start.isEmpty, contentTypes.count == 1,
      admission.lacksEncoding(response.requested, exchange, contentType: contentType)
    {
      // More bytes are not waited for: the site may send them much later.
      start = try await body.nextPiece() ?? []
      // It is what the document itself says. A browser would not find it behind the shim.
      if HTMLDeclaredEncoding.isUTF8(start) {
        contentType += "; charset=utf-8"
        fields[.contentType] = contentType
      }
    }
    let admitted = admission.admit(response.requested, exchange, &fields, contentType: contentType)
    response.remember(upstreamFields, of: answer, sessionID: admitted.sessionID)
    let nonce = mendPolicies(&fields, exchange, isOnStage: admitted.isOnStage)
    let injector = HTMLInjector(
      scriptAttributes: admitted.scriptAttributes(nonce: nonce),
      scriptText: admitted.elementText,
      contentType: contentType,
      policy: addresses.authority.map {
        ContentSecurityPolicy(nonce: nonce, isSecure: exchange.isSecure, authority: $0)
      }
    )
    // If the body cannot be decoded at all, the browser gets the page about problems.
    if body.decoder != nil, start.isEmpty { start = try await body.nextPiece() ?? [] }
    let links =
      rewritesLinks
      ? HTMLLinkRewriter(contentType: contentType) { value, form in
        form == .refresh ? addresses.localRefresh(value) : addresses.localLink(value)
      } : nil
    try await send(answer, body, to: exchange, fields: fields, startingWith: start, through: injector, links)
  }

  /// Reads the beginning of a body, enough to tell whether it is HTML.
  private func sniff(_ upstream: HTTPClientExchange) async throws -> HTMLSniffer {
    var sniffer = HTMLSniffer()
    while sniffer.verdict == .undecided {
      if let piece = try await upstream.nextBodyPiece() { sniffer.push(piece) } else { sniffer.finish() }
    }
    return sniffer
  }

  /// Reads the beginning of HTML, enough to tell whether it is a fragment.
  private func readStart(_ upstream: HTTPClientExchange) async throws -> (bytes: [UInt8], isFragment: Bool) {
    var start = HTMLDocumentStart()
    while start.isDocument == nil {
      if let piece = try await upstream.nextBodyPiece() { start.push(piece) } else { start.finish() }
    }
    return (start.bytes, start.isDocument != true)
  }

  private func send(
    _ answer: ResponseHead,
    _ body: UpstreamBody,
    to exchange: HTTPExchange,
    fields: HTTPFields,
    startingWith start: [UInt8] = [],
    through injector: HTMLInjector?,
    _ links: HTMLLinkRewriter? = nil
  ) async throws {
    var (injector, links) = (injector, links)
    exchange.isForwarded = true
    let mediaType = answer.fields.value(of: .contentType)?.lowercased()
    exchange.waitsForEvents = mediaType?.hasPrefix("text/event-stream") ?? false
    let length = injector == nil ? fields[.contentLength].flatMap { Int($0) } : nil
    exchange.begin(answer.status, fields: fields, length: length)
    if !start.isEmpty {
      let piece = links?.push(start) ?? start
      try await exchange.write(injector?.push(piece) ?? piece)
    }
    while let received = try await body.nextPiece() {
      let piece = links?.push(received) ?? received
      try await exchange.write(injector?.push(piece) ?? piece)
    }
    if let rest = links?.finish() { try await exchange.write(injector?.push(rest) ?? rest) }
    if let rest = injector?.finish() { try await exchange.write(rest) }
    if injector?.hasMendedPolicy ?? false { sayThatPoliciesAreMended() }
    let trailers = body.upstream.trailers
    exchange.finish(trailers: injector == nil ? trailers : InjectedResponse.mendedTrailers(trailers))
  }

  /// The fields of a 101. The upstream's fields for the connection stay, because both connections become one.
  private func switchingFields(_ answer: ResponseHead, _ response: UpstreamResponse) -> HTTPFields {
    var fields = HTTPFields(inOrder: response.fields(of: answer))
    for protocolName in answer.fields[values: .upgrade] {
      fields.append(HTTPField(name: .upgrade, value: protocolName))
    }
    fields.append(HTTPField(name: .connection, value: "Upgrade"))
    return fields
  }

  // MARK: Policies

  /// Adds the shim's permissions to the page's policies. Returns the nonce of the shim's script element.
  private func mendPolicies(_ fields: inout HTTPFields, _ exchange: HTTPExchange, isOnStage: Bool) -> String {
    let policies = DocumentPolicies(
      mending: &fields, isSecure: exchange.isSecure, authority: exchange.head.authority, isOnStage: isOnStage,
      random: random)
    if policies.hasMendedPermissions {
      sayOnce(
        "permissions",
        "The site has a Permissions-Policy. Footbridge lets the document use the camera and synchronous requests, which native screens and prompts need."
      )
    }
    if policies.hasRemovedIntegrity {
      sayOnce(
        "integrity",
        "The site has an Integrity-Policy. Footbridge removes it, since it would keep the shim out of the page.")
    }
    if policies.hasMendedSecurity { sayThatPoliciesAreMended() }
    return policies.nonce
  }

  private func sayThatPoliciesAreMended() {
    sayOnce(
      "policy",
      "The site has a Content-Security-Policy. Footbridge adds the sources that the shim needs: a nonce or an address, and connect-src."
    )
  }

  private func sayOnce(_ topic: String, _ text: String) {
    if saidOnce.insert(topic).inserted { logger.notice("\(text)") }
  }
}

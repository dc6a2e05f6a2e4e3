import BridgeCore
import BridgeRuntime
import BridgeServer
import HTTP1
import HTTPTypes
import Logging
import Sessions
import SiteServer
import WebServer

/// All routes of the server: its own, which begin with `/__footbridge`, and those of the site.
@BridgeActor
final class ServerRoutes {
  private let sessions: SessionRegistry
  private let bridges: StartedBridges
  private let trustedProxies: TrustedProxies
  private let tickets: DocumentTickets
  private let site: SiteRoute
  private let forwardProxy: ForwardProxy?
  private let scripts: ScriptRoute
  private let resources: ResourceRoute
  private let deviceRequests: DeviceRequests
  private let control: ControlAPI
  private let entry: EntryRoute
  private let dashboard: DashboardRoutes
  private let group: any ServerGroup
  private let cachedDocuments: CachedDocuments
  private let launches: Launches
  /// The token that a request for the metrics needs; nil if everybody may read them.
  private let metricsToken: ControlToken?
  private let limitLog: LimitLog
  private let traffic: Traffic?
  private let startTime: BridgeInstant
  private let logger: Logger
  private var access: AccessPolicy
  private var requestMetrics = RequestMetrics()
  private weak var server: HTTPServer?

  /// Whether the server is about to stop, and only finishes requests and calls in progress.
  var isDraining = false
  /// Whether the time to finish them is over.
  private var hasStopped = false

  /// Creates the routes. Throws ``FootbridgeError`` if an option is wrong.
  init(
    _ options: FootbridgeOptions, _ access: AccessPolicy, root: StaticRoot?, sessions: SessionRegistry,
    bridges: StartedBridges, tickets: DocumentTickets, bearers: DashboardBearers, certificates: SiteCertificates?,
    token: ControlToken,
    group: any ServerGroup, limitLog: LimitLog, traffic: Traffic?,
    startTime: BridgeInstant, random: BridgeRandom, logger: Logger
  ) throws {
    self.access = access
    self.sessions = sessions
    self.bridges = bridges
    self.tickets = tickets
    self.group = group
    self.limitLog = limitLog
    self.traffic = traffic
    self.startTime = startTime
    self.logger = logger
    trustedProxies = options.trustedProxies
    metricsToken = options.hasOpenMetrics ? nil : token
    let codes = OneTimeCodes<Secret>(clock: sessions.clock, random: random)
    let dashboardAccess = DashboardAccess(clock: sessions.clock, bearers: bearers)
    entry = EntryRoute(codes: codes, sessions: sessions)
    let launches = Launches(options.launch)
    self.launches = launches
    let proxiedSites = ProxiedSites(options.sites.map(\.origin.description), token: options.siteToken)
    control = ControlAPI(
      token: token, sessions: sessions, bridges: options.bridges,
      context: ControlContext(
        proxiedSites: proxiedSites, launches: launches, entryCodes: codes, dashboard: dashboardAccess,
        failedSessions: FailedSessions(clock: sessions.clock), group: group),
      logger: logger)
    dashboard = DashboardRoutes(
      access: dashboardAccess, control: control, sessions: sessions, group: group, hasSites: !options.sites.isEmpty,
      transcript: options.transcript)
    cachedDocuments = CachedDocuments(sessions: sessions, excluded: options.excludedPaths, logger: logger)
    let table = sessions.bridgeTable
    let shims = ShimScripts(options.site, options.sessions, table, launches: launches)
    let admission = DocumentAdmission(
      sessions: sessions, tickets: tickets, shims: shims, launches: launches, isAppFramed: options.isAppFramed)
    deviceRequests = DeviceRequests(sessions)
    resources = ResourceRoute(sessions: sessions, definitions: table.definitions)
    scripts = ScriptRoute(
      sessions: sessions, shims: shims, admission: admission, files: table.scriptFiles,
      icon: options.app.flatMap(EmbeddedFile.init(iconOf:)))
    site = SiteRoute(
      site: root.map { FolderSite(root: $0, isSinglePage: options.isSinglePage) } ?? EmbeddedSite(folder: "demo"),
      proxy: try ReverseProxy(
        options.site, options.sessions, admission: admission, random: random, logger: logger),
      admission: admission,
      excluded: options.excludedPaths,
      responseFields: options.responseHeaders,
      random: random)
    forwardProxy = try ForwardProxy(
      options.site, options.sessions, certificates: certificates, admission: admission, random: random, logger: logger)
  }

  /// The server whose requests the routes answer.
  func serve(_ server: HTTPServer) {
    self.server = server
    server.onAnswer = { [weak self] in self?.requestMetrics.answered($0, $1) }
  }

  /// The server listens on a port.
  func listens(on port: Int, isSecure: Bool) {
    access.listens(on: port, isSecure: isSecure)
  }

  /// The dashboard listens at an address.
  ///
  /// - Parameter server: The server's own address.
  func dashboardListens(at origin: String, of server: String) {
    dashboard.listens(at: origin, of: server)
    group.listens(at: server)
  }

  /// Answers a request that has come to the dashboard's port.
  func answerDashboard(_ exchange: HTTPExchange) async { await dashboard.answer(exchange) }

  /// A new one-time address of the dashboard; nil if there is no dashboard.
  func newDashboardAddress() -> String? { dashboard.access.enter()?.url }

  /// Answers all requests that wait with 503, and all later ones.
  func stopAnswering() {
    hasStopped = true
    control.hasStopped = true
    server?.answerWaiting { exchange in
      let text =
        "The server stops before this request is answered. Whether it takes effect is unknown: ask the next server."
      if exchange.head.target.path?.hasPrefix(ControlAPI.base) == true {
        exchange.respondProblem(.serviceUnavailable, text, fields: [.retryAfter: "1"])
      } else {
        exchange.respondText(.serviceUnavailable, text, fields: [.retryAfter: "1"])
      }
    }
  }

  /// Closes the connections to upstreams.
  func stop() {
    site.stop()
    forwardProxy?.stop()
    group.stop()
  }

  /// Answers a request.
  func answer(_ exchange: HTTPExchange) async {
    if hasStopped { return exchange.respondText(.serviceUnavailable, "The server stops.", fields: [.retryAfter: "1"]) }
    traffic?.observe(exchange)
    switch group.receive(exchange) {
    case .answered: return
    case .passedOn(let request): return await answer(exchange, request)
    case .client: break
    }
    if let forwardProxy {
      let isOwnHost = exchange.head.authority.map { access.allowsHost($0, isSecure: exchange.isSecure) } ?? false
      switch await forwardProxy.receive(exchange, isOwnHost: isOwnHost) {
      case .answered: return
      case .site(let proxy):
        guard await group.serves(exchange, nil, .site) else { return }
        return await answer(exchange, from: proxy)
      case .own: break
      }
    }
    do {
      try trustedProxies.restoreOriginal(of: exchange)
    } catch {
      return exchange.respondText(.badRequest, "\(error)")
    }
    let head = exchange.head
    logger.debug(
      "request", metadata: ["method": "\(head.method)", "path": "\(PublicText.address(head.target.path ?? "*"))"])
    guard let authority = head.authority else {
      return exchange.respondText(.badRequest, "The request has no valid Host field.")
    }
    let isBehindAnother = SessionCookie(in: head.fields) != .usual
    // The browser's name for the Footbridge in front may have another port. DNS cannot rebind a loopback name, and no page can set `Via`.
    guard access.allowsHost(authority, isSecure: exchange.isSecure) || (isBehindAnother && authority.isLoopback) else {
      let front = isBehindAnother ? " Or start the Footbridge in front with --proxy-host upstream." : ""
      return exchange.respondText(
        .misdirectedRequest,
        "This server is not \(authority). Use \(access.usualHost(isSecure: exchange.isSecure)), name the site with --site-origin, or add a name with --allow-host.\(front)"
      )
    }
    guard await group.serves(exchange, nil, .own) else { return }
    await answerOwnOrSites(exchange)
  }

  /// Answers a request that another server has passed on. That server has checked its host.
  private func answer(_ exchange: HTTPExchange, _ request: PassedOnRequest) async {
    guard await group.serves(exchange, request, request.destination) else { return }
    switch request.destination {
    case .dashboard: await control.answerAuthorized(exchange, exchange.head.target.path ?? "")
    case .site:
      guard let proxy = forwardProxy?.proxy(for: exchange) else { fallthrough }
      await answer(exchange, from: proxy)
    case .own: await answerOwnOrSites(exchange, isForwarded: true)
    }
  }

  /// Answers a request whose host is the server's own.
  private func answerOwnOrSites(_ exchange: HTTPExchange, isForwarded: Bool = false) async {
    let head = exchange.head
    guard let path = head.target.path else {
      if await site.passOn(exchange) { return }
      if head.target == .asterisk { return exchange.respond(.noContent, fields: [.allow: "GET, HEAD, OPTIONS"]) }
      return exchange.respondText(.badRequest, "The request target has no path.")
    }
    if OwnPath.contains(path) { return await answerOwn(exchange, path, isForwarded: isForwarded) }
    if let forwardProxy { return forwardProxy.answerForItself(exchange) }
    if await resources.answer(exchange, sitePath: path) { return }
    guard await deviceRequests.pass(exchange) else { return }
    if cachedDocuments.observe(exchange) { return }
    await site.answer(exchange, path)
  }

  /// Answers a request for a site under its own origin.
  private func answer(_ exchange: HTTPExchange, from site: ReverseProxy) async {
    let path = exchange.head.target.path
    logger.debug(
      "request", metadata: ["site": "\(exchange.head.host ?? "")", "path": "\(PublicText.address(path ?? "*"))"])
    if let path, OwnPath.contains(path) { return await answerOwn(exchange, path) }
    if let path, await resources.answer(exchange, sitePath: path) { return }
    guard await deviceRequests.pass(exchange) else { return }
    if cachedDocuments.observe(exchange) { return }
    _ = await site.answer(exchange)
  }

  /// Answers a request for one of Footbridge's own routes.
  private func answerOwn(_ exchange: HTTPExchange, _ path: String, isForwarded: Bool = false) async {
    let isSafe = [.get, .head, .options, .trace].contains(exchange.head.method)
    guard isSafe || access.allowsOrigin(of: exchange.head, isSecure: exchange.isSecure) else {
      return path.hasPrefix(ControlAPI.base)
        ? exchange.respondProblem(.forbidden, AccessPolicy.refusal)
        : exchange.respondText(.forbidden, AccessPolicy.refusal)
    }
    switch path.dropFirst("/__footbridge/".count) {
    case "": await AboutRoute(resources: bridges.server.resources).answer(exchange)
    case "api/v1": await control.answer(exchange, path)
    case _ where path.hasPrefix(ControlAPI.base + "/"):
      await control.answer(exchange, path, isForwarded: isForwarded)
    case "bridge" where isDraining: exchange.respondText(.serviceUnavailable, "This server is about to stop.")
    case "bridge": await pageSocket.answer(exchange)
    case "goodbye": await pageSocket.answerGoodbye(exchange)
    // The address that every page may request at once, under any policy.
    case "now" where exchange.head.method == .get: answerState(exchange)
    case "now": await pageSocket.answerNow(exchange)
    case "dashboard", "dashboard/": dashboard.redirect(exchange)
    case let route where route.hasPrefix("enter/"):
      await entry.answer(exchange, code: route.dropFirst("enter/".count))
    case let route where route.hasPrefix("resources/"):
      await resources.answer(exchange, route.dropFirst("resources/".count))
    case "metrics": answerMetrics(exchange)
    case "proxy.pac" where forwardProxy != nil: forwardProxy?.answerAutoConfiguration(exchange)
    case let route:
      let health = HealthRoute(isDraining: isDraining, hasLease: sessions.ownership.hasLease)
      if health.answer(exchange, route) { return }
      if await scripts.answer(exchange, route, access) { return }
      if let resource = bridges.server.resource(at: route) { return await resource.handler(exchange, resource.rest) }
      exchange.respondText(.notFound, "Footbridge has nothing at \(path).")
    }
  }

  /// Answers with what native sets in the page, signed now, and with the device.
  private func answerState(_ exchange: HTTPExchange) {
    let value = SessionCookie.value(in: exchange.head.fields, isSecure: exchange.isSecure)
    let id = value.map { SessionKey(cookieValue: $0).id }
    let device = id.flatMap { sessions.running(id: $0)?.device } ?? sessions.options.device ?? Device()
    let data = JSONValue.object(["launch": launches.page(of: id, at: sessions.clock.now), "device": device.json])
    exchange.respond(
      .ok, fields: [.cacheControl: "no-store", .contentType: "application/json"], body: Array(data.jsonText.utf8))
  }

  private func answerMetrics(_ exchange: HTTPExchange) {
    guard let server else { return }
    let route = MetricsRoute(
      token: metricsToken, sessions: sessions, requests: requestMetrics, server: server, limitCount: limitLog.count,
      group: group, isReady: !isDraining && sessions.ownership.hasLease, startTime: startTime)
    route.answer(exchange)
  }

  private var pageSocket: PageSocketRoute {
    PageSocketRoute(access: access, sessions: sessions, tickets: tickets, logger: logger)
  }

  /// Reloads every page whose document still exists. A build may empty the folder first. A page that reloaded then would get an error, and
  /// no longer hear of changes.
  func reloadPages() async {
    for page in sessions.pages {
      if let path = page.document?.path, await site.lacks(path) { continue }
      page.host.send(event: FootbridgeAction.reload, data: [:])
    }
  }
}

import BridgeCore
public import BridgeRuntime
import Essentials
import HTMLInjection
import HTTP1
import HTTPTypes
public import Logging
public import ServiceLifecycle
import WebServer

/// The server as a whole: the developer's site with the shim in it, and the native host behind the shim.
///
/// A program that embeds it runs it until it is told to stop:
///
///     var options = FootbridgeOptions()
///     options.root = "path/to/site"
///     let server = try await FootbridgeServer(options: options, logger: Logger(label: "my-app"))
///     print(try await server.start().plain)
///     try await server.run()
///
/// It is a `Service` of swift-service-lifecycle: a program with more services adds it to its `ServiceGroup`. A server runs once. Its methods
/// can be called from any thread.
@BridgeActor
public final class FootbridgeServer: Service {
  private let options: FootbridgeOptions
  private let logger: Logger
  private let clock: any BridgeClock
  private var access: AccessPolicy
  private let trustedProxies: TrustedProxies
  private let bounds: BoundLog
  /// The sessions of the server.
  let sessions: SessionRegistry
  private let tickets: DocumentTickets
  private let admission: DocumentAdmission
  private let proxy: ReverseProxy?
  private let bridges: StartedBridges
  private let control: ControlAPI
  private let token: ControlToken
  private var requestMetrics = RequestMetrics()
  private let startTime: BridgeInstant
  private let certificate: ServerCertificate?
  private let site: any Site
  private let root: StaticRoot?
  private let shims: ShimScripts
  private let scriptFiles: [String: EmbeddedFile]
  private var server: WebServer?
  private var stateLock: StateLock?
  /// Ends when the server is told to stop.
  private nonisolated let untilStop = AsyncStream.makeStream(of: Never.self)
  private var stopping: Task<Void, Never>?
  /// Whether the server finishes what is under way, and is about to stop.
  private var isDraining = false

  /// The server's addresses while it listens.
  public private(set) var addresses: ServerAddresses?
  /// Called when the server listens, with its addresses. For programs whose `ServiceGroup` starts the server.
  public var onListening: ((ServerAddresses) -> Void)?

  /// The path of the control API.
  public nonisolated static let controlPath = ControlAPI.base
  /// The control API's token.
  public let controlToken: Secret
  /// Whether the server has generated the token, because none was set.
  public let hasGeneratedControlToken: Bool

  /// Creates a server, which does not listen yet.
  ///
  /// - Parameters:
  ///   - options: The options.
  ///   - logger: Receives the log.
  ///   - clock: The clock. Tests pass a manual one.
  ///   - random: The source of ids.
  /// - Throws: ``FootbridgeError`` if an option is wrong or something that it names is missing.
  public init(
    options: FootbridgeOptions,
    logger: Logger,
    clock: any BridgeClock = SystemBridgeClock(),
    random: BridgeRandom = BridgeRandom()
  ) throws {
    let options = options.withScriptsOfHost()
    self.options = options
    self.logger = logger
    self.clock = clock
    access = try AccessPolicy(options)
    trustedProxies = try TrustedProxies(options.trustedProxies)
    guard access.isLoopbackOnly || options.controlToken != nil else {
      throw FootbridgeError.controlTokenMissing(host: options.host)
    }
    try WebServer.startLoop(options.eventLoop)
    bounds = BoundLog(logger: logger, clock: clock)
    let state = try options.state.map { try StateDirectory(path: $0, logger: logger) }
    stateLock = try state.map { try StateLock($0) }
    let secrets = IssuedSecrets()
    certificate = try ServerCertificate(options, state, logger, clock: clock)
    try options.bridges.check()
    let table = options.bridges.table
    bridges = try StartedBridges(
      table,
      BridgeServer(
        siteOrigin: options.siteOrigin, limits: options.limits, directory: state, logger: logger, clock: clock,
        random: random, secrets: secrets))
    sessions = SessionRegistry(
      options: options.sessions,
      newRecord: table.newRecord,
      logger: logger,
      bounds: bounds,
      bridges: bridges,
      store: try state.map { try SessionStore($0, states: table.stateTypes, logger: logger) },
      clock: clock,
      random: random,
      secrets: secrets
    )
    let token = options.controlToken.map { ControlToken($0) } ?? .random()
    self.token = token
    startTime = clock.now
    controlToken = token.secret
    secrets.remember(token.secret)
    hasGeneratedControlToken = options.controlToken == nil
    control = ControlAPI(token: token, sessions: sessions, bridges: options.bridges, logger: logger)
    tickets = try DocumentTickets(state: state, clock: clock, random: random)
    shims = ShimScripts(options, table)
    scriptFiles = table.scriptFiles
    admission = DocumentAdmission(sessions: sessions, tickets: tickets, shims: shims)
    proxy = try ReverseProxy(options: options, admission: admission, random: random, logger: logger)
    if let path = options.root {
      guard let folder = StaticRoot(path: path) else { throw FootbridgeError.rootMissing(path) }
      if let state, folder.contains(state.path) { throw FootbridgeError.stateServed(state.path, root: folder.path) }
      root = folder
      site = FolderSite(root: folder, isSinglePage: options.isSinglePage)
    } else {
      root = nil
      site = EmbeddedSite(folder: "demo")
    }
  }

  // MARK: Life cycle

  /// Serves until the task is cancelled, its `ServiceGroup` shuts down, or ``stop()`` is called. Returns when the server has stopped.
  ///
  /// Listens first, unless ``start()`` was called before.
  ///
  /// - Throws: The errors of ``start()``. The server has then stopped.
  public func run() async throws {
    do {
      try start()
    } catch {
      await stop()
      throw error
    }
    await withTaskCancellationOrGracefulShutdownHandler {
      for await _ in untilStop.stream {}
    } onCancelOrGracefulShutdown: { [untilStop] in
      untilStop.continuation.finish()
    }
    await stop()
  }

  /// Listens, and returns the server's addresses. If it already listens, just returns them.
  ///
  /// - Throws: `WebServerError` if it cannot listen, for example because the port is in use; ``FootbridgeError/stopped`` if it has stopped.
  @discardableResult
  public func start() throws -> ServerAddresses {
    if let addresses { return addresses }
    guard stopping == nil else { throw FootbridgeError.stopped }
    let server = try webServer()
    do {
      let addresses = try listen(server)
      self.addresses = addresses
      sessions.begin()
      onListening?(addresses)
      return addresses
    } catch {
      self.server = nil
      Task { await server.stop() }
      throw error
    }
  }

  /// Opens the WebSocket of a page from within the process, whether or not the server listens.
  func openWebSocket() throws -> InProcessWebSocket {
    try webServer().openInProcess(subprotocol: BridgeRoute.subprotocol)
  }

  /// Stops. The server finishes requests and calls under way, within ``FootbridgeOptions/drainTimeout``; meanwhile it says that it is not
  /// ready. Then it accepts nothing new and closes WebSockets with 1001.
  ///
  /// Returns when everything that has happened is stored, and the ports and the state directory are free for another server.
  public func stop() async {
    // Runs to its end even if the caller is cancelled, and exactly once for all callers.
    let stopping = stopping ?? Task { await end() }
    self.stopping = stopping
    await stopping.value
  }

  private func end() async {
    untilStop.continuation.finish()
    await drain()
    await sessions.stop()
    await server?.stop()
    server = nil
    addresses = nil
    sessions.letGo()
    await bridges.server.stop()
    proxy?.stop()
    stateLock = nil
  }

  /// Waits for what is under way: answers to requests, and to calls of pages.
  private func drain() async {
    guard let server, addresses != nil else { return }
    isDraining = true
    server.drain()
    let deadline = ContinuousClock.now + options.drainTimeout
    while server.isAnswering || sessions.running.contains(where: \.isAnswering) {
      guard ContinuousClock.now < deadline else {
        let timeout = options.drainTimeout
        return logger.notice("Not everything that was under way was answered within \(timeout): it is cut.")
      }
      try? await Task.sleep(for: Self.drainInterval)
    }
  }

  /// How long to wait until it is looked again whether something is under way.
  private static let drainInterval = Duration.milliseconds(10)

  /// The web server, created when it is first needed.
  func webServer() throws -> WebServer {
    if let server { return server }
    guard stopping == nil else { throw FootbridgeError.stopped }
    let server = try WebServer(
      limits: options.limits.web,
      subprotocols: [BridgeRoute.subprotocol],
      commonFields: [.crossOriginResourcePolicy: "same-origin", .xContentTypeOptions: "nosniff"]
    ) { [weak self] exchange in
      await self?.answer(exchange)
    }
    server.onAnswer = { [weak self] in self?.requestMetrics.answered($0, $1) }
    server.onBound = { [bounds] in bounds.note($0.description) }
    // That browsers are ended with their pages is usual.
    server.onBreak = { [bounds] in bounds.note($0.description, level: $0 == .givenUp ? .warning : .info) }
    self.server = server
    return server
  }

  private func listen(_ server: WebServer) throws -> ServerAddresses {
    if let root, options.watchesRoot {
      let liveReload = LiveReload(clock: clock, logger: logger) { [weak self] in await self?.reloadPages() }
      try server.watch(root) { liveReload.received($0) }
    }
    let name = options.host.contains(":") ? "[\(options.host)]" : options.host
    let port = try server.listen(host: options.host, port: options.port)
    access.listens(on: port, isSecure: false)
    var addresses = ServerAddresses(plain: "http://\(name):\(port)")
    if let certificate, let tlsPort = options.tlsPort {
      let port = try server.listen(host: options.host, port: tlsPort) { certificate.contextForConnection() }
      access.listens(on: port, isSecure: true)
      addresses.publicKeyHash = certificate.publicKeyHash
      addresses.secure = "https://\(name):\(port)"
    }
    return addresses
  }

  // MARK: Routes

  private func answer(_ exchange: HTTPExchange) async {
    do {
      try trustedProxies.restoreOriginal(of: exchange)
    } catch {
      return exchange.respondText(.badRequest, "\(error)")
    }
    let head = exchange.head
    logger.debug("request", metadata: ["method": "\(head.method)", "path": "\(head.target.path ?? "*")"])
    guard let authority = head.authority else {
      return exchange.respondText(.badRequest, "The request has no valid Host field.")
    }
    guard access.allowsHost(authority, isSecure: exchange.isSecure) else {
      return exchange.respondText(
        .misdirectedRequest,
        "This server is not \(authority). Use \(access.usualHost(isSecure: exchange.isSecure)), name the site with --site-origin, or add a name with --allow-host."
      )
    }
    guard let path = head.target.path else {
      if let proxy, await proxy.answer(exchange) { return }
      return exchange.respondText(.badRequest, "The request target has no path.")
    }
    guard path == "/__footbridge" || path.hasPrefix("/__footbridge/") else { return await serveSite(exchange, path) }
    await answerOwn(exchange, path)
  }

  /// Answers a request for one of Footbridge's own routes.
  private func answerOwn(_ exchange: HTTPExchange, _ path: String) async {
    let isSafe = [.get, .head, .options, .trace].contains(exchange.head.method)
    guard isSafe || access.allowsOrigin(of: exchange.head, isSecure: exchange.isSecure) else {
      return path.hasPrefix(ControlAPI.base)
        ? exchange.respondProblem(.forbidden, AccessPolicy.refusal)
        : exchange.respondText(.forbidden, AccessPolicy.refusal)
    }
    switch path.dropFirst("/__footbridge/".count) {
    case "shim.js": await serveScript(await shim(for: exchange), exchange)
    case "sheets.js": await serveScript(ShimScript.sheets, exchange)
    case "api/v1": await control.answer(exchange, path)
    case _ where path.hasPrefix(ControlAPI.base + "/"): await control.answer(exchange, path)
    case "bridge" where isDraining: exchange.respondText(.serviceUnavailable, "This server is about to stop.")
    case "bridge": await bridge.answer(exchange)
    case "metrics": serveMetrics(exchange)
    case "goodbye": await bridge.answerGoodbye(exchange)
    case let route:
      if HealthRoute(isDraining: isDraining).answer(exchange, route) { return }
      if let script = scriptFiles[String(route)] { return await serveScript(script, exchange) }
      if let resource = bridges.server.resource(at: route) { return await resource.handler(exchange, resource.rest) }
      exchange.respondText(.notFound, "Footbridge has nothing at \(path).")
    }
  }

  private func serveMetrics(_ exchange: HTTPExchange) {
    guard let server else { return }
    let route = MetricsRoute(
      token: options.hasOpenMetrics ? nil : token, sessions: sessions, requests: requestMetrics, server: server,
      boundCount: bounds.count, isReady: !isDraining, startTime: startTime)
    route.answer(exchange)
  }

  private var bridge: BridgeRoute {
    BridgeRoute(access: access, sessions: sessions, tickets: tickets, logger: logger)
  }

  /// The shim for the session of a request's browser.
  private func shim(for exchange: HTTPExchange) async -> EmbeddedFile {
    // If the store cannot be read, the page learns of it when it opens its socket.
    guard let value = SessionCookie.value(in: exchange.head.fields),
      let session = try? await sessions.session(cookieValue: value)
    else { return shims.usual }
    return shims[session]
  }

  private func serveScript(_ script: EmbeddedFile, _ exchange: HTTPExchange) async {
    // A script under an address with its version never changes.
    let isVersioned = QueryItems(exchange.head.target.query)["v"] == script.entityTag?.opaqueTag
    let caching = isVersioned ? "private, max-age=31536000, immutable" : "no-cache"
    var fields: HTTPFields = [.cacheControl: caching, .vary: "Origin"]
    if let origin = access.allowedOrigin(of: exchange.head) {
      fields[.accessControlAllowOrigin] = origin
      fields[.accessControlAllowCredentials] = "true"
    }
    if admission.isFromFrame(exchange.head) { fields[.crossOriginResourcePolicy] = "cross-origin" }
    // A page with a handwritten script tag may come from another server. The script then brings the session.
    admission.session(of: exchange, &fields)
    await exchange.serve(script, fields: fields)
  }

  private func serveSite(_ exchange: HTTPExchange, _ path: String) async {
    if let proxy, await proxy.answer(exchange) { return }
    guard exchange.allows([.get, .head]) else { return }
    let requested = RequestedDocument(exchange.head, isSecure: exchange.isSecure)
    switch await site.lookUp(path, isNavigation: requested.isNavigation) {
    case .file(let file):
      // The browser caches the file but revalidates it each time, so an edit shows at once.
      var fields: HTTPFields = [.cacheControl: "no-cache"]
      guard HTMLMediaType.isHTML(file.mediaType) else { return await exchange.serve(file, fields: fields) }
      fields[.vary] = RequestedDocument.vary
      if requested.isInjected {
        await serveDocument(file, requested, exchange, fields)
      } else {
        await exchange.serve(file, fields: fields)
      }
    case .redirect(let location):
      let query = exchange.head.target.query.map { "?" + $0 } ?? ""
      exchange.respondText(.permanentRedirect, "This folder is at \(location).", fields: [.location: location + query])
    case .notFound(let reason):
      exchange.respondText(.notFound, reason)
    }
  }

  /// Serves a document with the shim as the first element of its head.
  private func serveDocument(
    _ file: any FileContent,
    _ requested: RequestedDocument,
    _ exchange: HTTPExchange,
    _ fields: HTTPFields
  ) async {
    var fields = fields
    let admitted = admission.admit(requested, exchange, &fields)
    do {
      let isSecure = exchange.isSecure
      let policy = exchange.head.authority.map { ContentSecurityPolicy(isSecure: isSecure, authority: $0) }
      let document = try await InjectedDocument(file, admitted, policy: policy)
      // A cached copy would have a used ticket. Browsers get a new document each time, even when they go back to it.
      if requested.isByBrowser { fields[.cacheControl] = "no-store" }
      await exchange.serve(document, fields: fields, isConditional: !requested.isByBrowser)
    } catch {
      exchange.respondText(.internalServerError, "The document could not be read: \(error.localizedDescription)")
    }
  }

  /// Reloads every page whose document still exists. A build that empties the folder first must not reload pages into errors, where they
  /// would hear of no further change.
  private func reloadPages() async {
    for page in sessions.pages {
      if let path = page.document?.path, proxy?.passesOn(path) != true,
        await site.lookUp(path, isNavigation: true).isNotFound
      {
        continue
      }
      page.host.send(event: FootbridgeAction.reload, data: [:])
    }
  }
}

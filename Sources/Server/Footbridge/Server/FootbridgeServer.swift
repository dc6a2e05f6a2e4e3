import BridgeCore
public import BridgeRuntime
import Cluster
import Essentials
import HTTPTypes
public import Logging
public import ServiceLifecycle
// The public interface uses types of these, so programs that embed the server need not import them.
@_exported public import BridgeServer
@_exported public import DeclaredServer
@_exported public import GBGServer
@_exported public import OnsideServer
@_exported public import Sessions
@_exported public import SiteServer
@_exported public import TodayServer
import WebServer

/// A Footbridge server. It serves the developer's site with the shim in it, and simulates the native host behind the shim.
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
  /// The version of Footbridge.
  public nonisolated static let version = FootbridgeVersion.current

  let options: FootbridgeOptions
  let logger: Logger
  let clock: any BridgeClock
  private let limitLog: LimitLog
  private let traffic: Traffic?
  /// The sessions of the server.
  let sessions: SessionRegistry
  private let bridges: StartedBridges
  private let routes: ServerRoutes
  private let certificate: ServerCertificate?
  private let sites: [ListedSite]
  private let siteCertificates: SiteCertificates?
  private let root: StaticRoot?
  private var server: HTTPServer?
  private var dashboard: HTTPServer?
  private var replicaAddress = ""
  private var state: ServerState?
  /// Ends when the server is told to stop.
  private nonisolated let untilStop = AsyncStream.makeStream(of: Never.self)
  private var stopping: Task<Void, Never>?

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
  /// - Throws: ``FootbridgeError`` or `SiteError` if an option is wrong or something that it names is missing.
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
    let access = AccessPolicy(
      host: options.host, siteOrigin: options.siteOrigin, hosts: options.allowedHosts, origins: options.allowedOrigins)
    guard access.isLoopbackOnly || options.controlToken != nil else {
      throw FootbridgeError.controlTokenMissing(host: options.host)
    }
    if let path = options.exportOnExit { try Self.checkExport(path) }
    try HTTPServer.startLoop(options.eventLoop)
    limitLog = LimitLog(logger: logger, clock: clock)
    let state = try ServerState(options, logger)
    self.state = state
    let secrets = IssuedSecrets()
    if let token = options.siteToken { secrets.remember(token) }
    sites = options.sites
    try ListedSite.check(sites)
    let names = ServerCertificate.names(options.site, siteOrigin: options.siteOrigin)
    let certificate = try ServerCertificate(options.site.tls, names: names, state?.storage, logger, clock: clock)
    self.certificate = certificate
    siteCertificates = try SiteCertificates(
      options.site, names: names, authority: certificate?.local?.authority, state?.storage, logger, clock: clock)
    try options.bridges.check()
    let table = options.bridges.makeTable()
    let sharing = try options.replicas ?? state?.replicas(lease: options.replicaLease)
    bridges = try StartedBridges(
      table,
      ServerContext(
        siteOrigins: (options.siteOrigin.map { [$0] } ?? sites.map(\.origin)).map(\.description),
        limits: options.limits,
        storage: state?.storage, logger: logger, clock: clock,
        random: random, secrets: secrets, isShared: sharing != nil))
    let store = try state?.store(table, logger)
    let ownership = sharing.map {
      SessionOwnership(table: $0.table, lease: options.replicaLease, random: random, logger: logger)
    }
    sessions = SessionRegistry(
      options: options.sessions,
      newRecord: try store?.withWorld(table.newRecord) ?? table.newRecord,
      logger: logger,
      limitLog: limitLog,
      bridges: bridges,
      store: store,
      ownership: ownership ?? SoleOwner(),
      clock: clock,
      random: random,
      secrets: secrets
    )
    let token = options.controlToken.map { ControlToken($0) } ?? .random()
    controlToken = token.secret
    secrets.remember(token.secret)
    hasGeneratedControlToken = options.controlToken == nil
    if let path = options.root {
      guard let folder = StaticRoot(path: path) else { throw FootbridgeError.rootMissing(path) }
      if let path = state?.path, folder.contains(path) { throw FootbridgeError.stateServed(path, root: folder.path) }
      root = folder
    } else {
      root = nil
    }
    try root.map { try Self.check(options, isOutside: $0) }
    traffic = try Traffic(options.site.traffic, clock: clock, logger: logger)
    routes = try ServerRoutes(
      options, access, root: root, sessions: sessions, bridges: bridges,
      tickets: DocumentTickets(state: state?.storage, shared: sharing?.authentication, clock: clock, random: random),
      bearers: DashboardBearers(state: state?.folder), certificates: siteCertificates, token: token,
      group: try sharing?.gateway(ownership, sessions: sessions, lease: options.replicaLease, logger: logger)
        ?? SingleServer(),
      limitLog: limitLog, traffic: traffic,
      startTime: clock.now, random: random, logger: logger)
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
  /// - Throws: `HTTPServerError` if it cannot listen, for example because the port is in use; ``FootbridgeError/stopped`` if it has stopped.
  @discardableResult
  public func start() throws -> ServerAddresses {
    if let addresses { return addresses }
    guard stopping == nil else { throw FootbridgeError.stopped }
    let server = try webServer()
    do {
      let addresses = try listen(server)
      try state?.introduce(project: options.project, logger)
      self.addresses = addresses
      sessions.begin(at: replicaAddress)
      onListening?(addresses)
      return addresses
    } catch {
      let dashboard = dashboard
      (self.server, self.dashboard) = (nil, nil)
      Task {
        await server.stop()
        await dashboard?.stop()
      }
      throw error
    }
  }

  /// Opens the WebSocket of a page in this process. The server need not listen.
  func openWebSocket() throws -> InProcessWebSocket {
    try webServer().openInProcess(subprotocol: PageSocketRoute.subprotocol)
  }

  /// Stops within `FootbridgeOptions.drainTimeout`, or within a second if that is shorter. The server finishes requests and calls in
  /// progress, and reports that it is not ready. Then it answers what still waits with 503, accepts nothing new, and closes WebSockets
  /// with 1001.
  ///
  /// Returns when everything that was answered is stored, and the ports and the state directory are free for another server.
  public func stop() async {
    // Runs to its end even if the caller is cancelled, and exactly once for all callers.
    let stopping = stopping ?? Task { await end() }
    self.stopping = stopping
    await stopping.value
  }

  private func end() async {
    let start = ContinuousClock.now
    let timeout = options.drainTimeout
    untilStop.continuation.finish()
    sessions.willStop()
    // What remains of the time is for the store and the connections.
    await drain(until: start + timeout - min(timeout / 5, .seconds(1)))
    routes.stopAnswering()
    exportLastSession()
    let deadline = max(start + timeout, .now + Self.leastTime)
    await sessions.stop(before: deadline)
    let rest = min(max(deadline - .now, Self.leastTime), .seconds(1))
    await server?.stop(timeout: rest)
    await dashboard?.stop(timeout: rest)
    (server, dashboard) = (nil, nil)
    addresses = nil
    await sessions.close()
    await bridges.server.stop()
    routes.stop()
    await traffic?.finish()
    state = nil
  }

  /// The time that each of the last steps has at least.
  private static let leastTime = Duration.milliseconds(500)

  /// Checks that the files that the server writes are outside of the folder that it serves.
  private static func check(_ options: FootbridgeOptions, isOutside root: StaticRoot) throws(FootbridgeError) {
    for (option, path) in [
      (ServerOption.accessLog, options.accessLog), (.har, options.har), (.exportOnExit, options.exportOnExit),
    ] {
      let folder = path.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path }
      if let path, let folder, root.contains(folder) { throw .fileServed(option, path: path, root: root.path) }
    }
  }

  /// Waits until all requests, and all calls of pages, are answered.
  private func drain(until deadline: ContinuousClock.Instant) async {
    guard let server, addresses != nil else { return }
    routes.isDraining = true
    server.drain()
    while server.isAnswering || sessions.running.contains(where: \.isAnswering) {
      guard ContinuousClock.now < deadline else {
        let timeout = options.drainTimeout
        return logger.notice("Some requests or calls were not answered within \(timeout). They are cut off.")
      }
      try? await Task.sleep(for: Self.drainInterval)
    }
  }

  /// The pause between two checks for requests and calls in progress.
  private static let drainInterval = Duration.milliseconds(10)

  /// The web server, created when it is first needed.
  func webServer() throws -> HTTPServer {
    if let server { return server }
    guard stopping == nil else { throw FootbridgeError.stopped }
    let server = try HTTPServer(
      limits: options.limits.web,
      subprotocols: [PageSocketRoute.subprotocol],
      commonFields: [.crossOriginResourcePolicy: "same-origin", .xContentTypeOptions: "nosniff"]
    ) { [weak self] exchange in
      await self?.routes.answer(exchange)
    }
    routes.serve(server)
    server.onLimit = { [limitLog] in limitLog.note($0.description) }
    // It is normal that browsers end together with their pages.
    server.onBreak = { [limitLog] in limitLog.note($0.description, level: $0 == .givenUp ? .warning : .info) }
    self.server = server
    return server
  }

  private func listen(_ server: HTTPServer) throws -> ServerAddresses {
    if let root, options.watchesRoot {
      let liveReload = LiveReload(clock: clock, logger: logger) { [weak self] in await self?.routes.reloadPages() }
      try server.watch(root) { liveReload.received($0) }
    }
    let name = options.host.contains(":") ? "[\(options.host)]" : options.host
    let port = try server.listen(host: options.host, port: options.port)
    routes.listens(on: port, isSecure: false)
    replicaAddress = ReplicaAddress.address(options.replicaAddress, host: options.host, port: port)
    var addresses = ServerAddresses(plain: "http://\(name):\(port)")
    if let certificate, let tlsPort = options.tlsPort {
      let port = try server.listen(host: options.host, port: tlsPort) { certificate.contextForConnection() }
      routes.listens(on: port, isSecure: true)
      addresses.publicKeyHash = certificate.publicKeyHash
      addresses.secure = "https://\(name):\(port)"
    }
    let reachable = ListenAddress.isEvery(options.host) ? "127.0.0.1" : name
    bridges.server.address = "http://\(reachable):\(port)"
    addresses.dashboard = try listenForDashboard(of: "http://\(reachable):\(port)")
    if let siteCertificates {
      let hash = siteCertificates.publicKeyHash
      addresses.publicKeyHash = addresses.publicKeyHash ?? hash
      let hashes = Set([hash, addresses.publicKeyHash ?? hash]).sorted()
      let (proxy, flags) = ("http://\(reachable):\(port)", BrowserFlags(sites, onlySites: options.onlySites))
      addresses.browserFlags = flags.chromium(proxy: proxy, publicKeyHashes: hashes)
      addresses.ownOrigin = OwnOriginAccess(
        proxy: proxy,
        chromiumFlags: flags.chromium(proxy: proxy, publicKeyHashes: hashes, runsScripts: true),
        authority: siteCertificates.authorityCertificate)
    }
    return addresses
  }

  /// Listens for the dashboard, if there is one, and returns its address. The dashboard has its own origin, so that pages of the site
  /// cannot read it.
  private func listenForDashboard(of origin: String) throws -> String? {
    guard let port = options.dashboardPort else { return nil }
    let dashboard = try HTTPServer(limits: options.limits.web, fixedFields: DashboardRoutes.fields) {
      [weak self] exchange in await self?.routes.answerDashboard(exchange)
    }
    self.dashboard = dashboard
    let listening = try listen(dashboard, on: port)
    let address = "http://127.0.0.1:\(listening)"
    routes.dashboardListens(at: address, of: origin)
    return address
  }

  /// Listens for the dashboard. If any port will do, takes the one of the last run, so that the dashboard's tabs find it again.
  private func listen(_ dashboard: HTTPServer, on port: Int) throws -> Int {
    let host = "127.0.0.1"
    guard port == 0, let state else { return try dashboard.listen(host: host, port: port) }
    if let known = state.dashboardPort, let listening = try? dashboard.listen(host: host, port: known) {
      return listening
    }
    let listening = try dashboard.listen(host: host, port: 0)
    do {
      try state.remember(dashboardPort: listening)
    } catch {
      logger.warning("After the next start, tabs of the dashboard will not find it at its port. \(error)")
    }
    return listening
  }

  /// A new address of the dashboard, with a code that one tab can use within two minutes; nil if there is no dashboard.
  public func newDashboardAddress() -> String? { routes.newDashboardAddress() }
}

extension FootbridgeServer {
  /// The linter's findings at the end of a run.
  public struct LintSummary: Sendable {
    /// The number of errors in pages, without those that tests expected.
    public let errorCount: Int
    /// The errors on one line each; not more than a few hundred.
    public let lines: [String]
  }

  /// Ends the linter's work: it now reports errors that only show at the end of a session. Open pages get a second to finish what has just
  /// ended. Returns the errors of all sessions, also of those that have ended.
  public func concludeLint() async -> LintSummary {
    // What pages have sent before they ended.
    await RoundTrips.settle()
    for session in sessions.running { await session.waitForPendingLint() }
    for session in sessions.running {
      session.tell(.runEnds)
      sessions.lintTally.add(session.lint)
    }
    let tally = sessions.lintTally
    return LintSummary(errorCount: tally.count, lines: tally.lines)
  }
}

/// The addresses of a server that listens.
public struct ServerAddresses: Sendable, Hashable {
  /// The address of the plain listener, such as `http://127.0.0.1:8080`.
  public var plain: String
  /// The address of the TLS listener, such as `https://127.0.0.1:8443`; nil if there is none.
  public var secure: String?
  /// The address of the dashboard, such as `http://127.0.0.1:41234`; nil if there is none.
  public var dashboard: String?
  /// The hash for Chromium's `--ignore-certificate-errors-spki-list`: that of the TLS listener's public key or, without a TLS listener, of
  /// the key of listed sites.
  public var publicKeyHash: String?

  /// Chromium's flags for listed sites, which it then reaches through this server; empty if the server is not a proxy.
  public var browserFlags: [String] = []

  /// How a browser with windows reaches listed sites; nil if the server is not a proxy.
  public var ownOrigin: OwnOriginAccess?

  /// The plain address, then the secure one.
  public var all: [String] { [plain] + (secure.map { [$0] } ?? []) }
}

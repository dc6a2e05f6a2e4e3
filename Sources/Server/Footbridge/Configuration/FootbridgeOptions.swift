public import SiteServer
public import Sessions
import Cluster
import BridgeServer
public import BridgeCore
public import BridgeRuntime
import Essentials
public import WebServer

/// All options of a server. The server checks them when it is created.
///
/// ```swift
/// var options = FootbridgeOptions()
/// options.root = "path/to/site"
/// options.onside = OnsideConfiguration(try StoreKitConfiguration(data: file))
/// options.onPage = { host in MyApp.register(on: host) }
/// ```
public struct FootbridgeOptions: Sendable {
  /// The folder to serve. Nil serves the demo, unless ``proxy`` is set.
  public var root: String?
  /// Whether a browser that opens a path without a file gets the root's `index.html`, as single-page applications need.
  public var isSinglePage = false
  /// Whether pages reload when a file in the root changes.
  public var watchesRoot = false
  /// The address of the upstream server, such as `http://localhost:5173`; nil for none. Footbridge stands in front of it.
  public var proxy: String?
  /// The maximum time for the upstream server to begin a response; nil for no limit.
  public var proxyTimeout: Duration?
  /// The host name in requests to the upstream server. Nil sends the browser's name to a server on this machine, and its own name to any
  /// other.
  public var proxyHost: ProxyHost?
  /// Whether to accept any certificate of an upstream server on this machine or a private network.
  public var proxyInsecure = false
  /// Whether to use HTTP/1.1 with upstream servers, even with one that would choose HTTP/2.
  public var proxyHTTP1 = false
  /// Whether links in documents that lead to the upstream server, or to the site in production, are rewritten to lead to this server.
  public var proxyRewritesLinks = false
  /// The paths of the site to leave alone, each with everything below it: no shim, and unchanged responses. `*` stands for any characters.
  public var excludedPaths: [String] = []
  /// Header fields to add to requests for upstream servers, such as `X-Api-Version: 2`. Without a value, the field is removed.
  public var requestHeaders: [String] = []
  /// Header fields to add to responses of the site, in the same form.
  public var responseHeaders: [String] = []
  /// The file that gets a line for each request; `-` means standard error, nil means no log.
  public var accessLog: String?
  /// The file that gets all requests of the site and their responses, as HAR 1.2; nil for none.
  public var har: String?
  /// Upstream servers for parts of the site, by path prefix.
  public var routes: [String: String] = [:]
  /// The sites that browsers see under their own origins, with the server as their proxy: `https://app.example.com=http://localhost:5173`,
  /// or `https://staging.example.com` for the site's real server.
  public var sites: [String] = []
  /// Whether the proxy refuses everything but these sites.
  public var onlySites = false
  /// The password of the proxy. With one, other machines may use the proxy; without one, only this machine may.
  public var siteToken: Secret?
  /// The address to listen on.
  public var host = "127.0.0.1"
  /// The port to listen on; 0 picks a free one.
  public var port = 8080
  /// The port to listen on with TLS; 0 picks a free one, nil means no TLS.
  public var tlsPort: Int?
  /// The file with the server's certificate, followed by its issuers, as PEM. Nil uses one from the local authority.
  public var tlsCertificate: String?
  /// The file with the certificate's private key, as PEM.
  public var tlsKey: String?
  /// The port of the dashboard on this machine's loopback address; 0 picks a free one, nil means no dashboard.
  public var dashboardPort: Int?
  /// A transcript (JSON Lines) that the dashboard shows first; nil for none.
  public var transcript: [UInt8]?
  /// The origin that the page has in production, such as `https://today.example`.
  public var siteOrigin: String?
  /// The app that the page belongs to. Sheets show its name and icon.
  public var app: AppIdentity?
  /// Other host names of the server, such as that of a proxy in front of it, with or without a port: `dev.example:443`.
  public var allowedHosts: [String] = []
  /// Other origins whose pages may use the bridge, such as `http://localhost:5173`.
  public var allowedOrigins: [String] = []
  /// The IP addresses and networks of proxies in front of the server, such as `10.0.0.0/8`. The server trusts what they report about a
  /// client's request: address, host and scheme.
  public var trustedProxies: [String] = []
  /// The maximum time that a stopping server waits for requests and calls in progress. Zero cuts them off.
  public var drainTimeout: Duration = .seconds(5)
  /// The system call that waits for sockets. The first server of a process decides for all servers.
  public var eventLoop = EventLoopKind.automatic
  /// The platform that is reported to pages.
  public var platform = Platform.ios
  /// Whether a page in a test runner's frame, such as Cypress's, counts as the app's main frame. Both must have the same origin.
  public var isAppFramed = false
  /// The mode that decides who answers sheets.
  public var present = PresentationMode.page
  /// The bearer token of the control API. Nil generates one.
  public var controlToken: Secret?
  /// Whether `/__footbridge/metrics` needs no token.
  public var hasOpenMetrics = false
  /// The bridges: contracts between pages and their native host.
  public var bridges = BridgeList()
  /// The limits of the server.
  public var limits = FootbridgeLimits()
  /// The scenarios that sessions can begin, by name.
  public var scenarios: [String: Scenario] = [:]
  /// The default scenario of sessions: a name in ``scenarios``.
  public var scenario: String?
  /// The ids of the linter's rules that are switched off: see docs/lint.md.
  public var silencedRules: Set<String> = []
  /// The seed of the sessions' ids. With the same seed, a test that does the same gets the same ids. Nil for random ids. Keys, cookies,
  /// tickets and the control token are always random.
  public var seed: UInt64?

  /// The folder of the project: the folder of `footbridge.yaml`, else ``root``, else the working directory.
  public var project = FileManager.default.currentDirectoryPath
  /// The folder for the state that outlives the server. By default, the folder of the project in the working directory. Nil keeps nothing
  /// (`--ephemeral`). The address of a PostgreSQL database (`postgresql://…`) keeps it there, and needs ``stateKey``.
  public var state: String? = StateDirectory.defaultPath(ofProject: FileManager.default.currentDirectoryPath)
  /// The file with the key, 32 bytes, that seals the secrets in the database of ``state``.
  public var stateKey: String?
  /// The address at which other servers on the same database reach this one, such as `10.0.0.5:8080`. Nil takes the server's host and port,
  /// or an address of the machine if the server listens on all addresses.
  public var replicaAddress: String?
  /// The time that a server on a shared database keeps its sessions without reaching the database. After that, others take them over.
  public var replicaLease: Duration = .seconds(10)
  /// The data that servers on one database share; nil for a server with a database of its own.
  var replicas: ReplicaSharing?
  /// The file that the server writes when it stops: the session that was used last, with its transcript and without secrets. Nil for none.
  public var exportOnExit: String?
  /// Creates the host of each new page: an instance of the app's own subclass of `BridgeHost`, or a host with the app's own configuration.
  /// Nil lets Footbridge create it.
  ///
  /// The host's own registrations stay. Its capture slots keep their handlers; Footbridge shows its own sheets for slots that the app has
  /// not touched. The host uses the clock and the ids of the page's session.
  ///
  /// Footbridge calls this once more when the server starts, to learn the scripts that documents begin with. If it returns the same host
  /// again, that host serves the newest page only.
  public var makeHost: (@Sendable @BridgeActor () -> BridgeHost)?
  /// Called with the host of each new page, before the page's first message. A program registers its capabilities here. It is called last,
  /// so it can replace what Footbridge has registered.
  public var onPage: (@Sendable @BridgeActor (BridgeHost) -> Void)?

  /// Creates the default options.
  public init() {}

  /// The options for sessions.
  var sessions: SessionOptions {
    var sessions = SessionOptions()
    sessions.limits = limits
    sessions.platform = platform
    sessions.present = present
    sessions.siteOrigin = siteOrigin
    sessions.app = app
    sessions.allowedOrigins = allowedOrigins
    sessions.scenarios = scenarios
    sessions.scenario = scenario
    sessions.readRule = { try RuleNode(InputNode($0, source: "a stored rule"), $1).rule }
    sessions.readBridges = { OwnBridge.read($0, in: $1, on: $2) }
    sessions.silencedRules = silencedRules
    sessions.seed = seed
    sessions.makeHost = makeHost
    sessions.onPage = onPage
    return sessions
  }
}

extension FootbridgeOptions {
  /// The options of the site.
  var site: SiteOptions {
    var site = SiteOptions()
    site.siteOrigin = siteOrigin
    (site.sites, site.onlySites, site.siteToken) = (sites, onlySites, siteToken)
    (site.proxy, site.routes, site.proxyTimeout, site.proxyHost) = (proxy, routes, proxyTimeout, proxyHost)
    (site.proxyInsecure, site.proxyHTTP1, site.proxyRewritesLinks) = (proxyInsecure, proxyHTTP1, proxyRewritesLinks)
    (site.excludedPaths, site.requestHeaders, site.responseHeaders) = (excludedPaths, requestHeaders, responseHeaders)
    (site.accessLog, site.har) = (accessLog, har)
    (site.host, site.allowedHosts) = (host, allowedHosts)
    (site.tlsPort, site.tlsCertificate, site.tlsKey) = (tlsPort, tlsCertificate, tlsKey)
    (site.platform, site.isAppFramed, site.limits) = (platform, isAppFramed, limits)
    return site
  }

  /// The origin of the first listed site; nil if none is listed.
  public var firstSite: String? {
    sites.first.flatMap { try? ListedSite($0) }?.origin.description
  }
}

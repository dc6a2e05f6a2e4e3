public import BridgeCore
public import BridgeRuntime
public import WebServer

/// Everything that can be set about a server. Its parts are checked when the server is made.
public struct FootbridgeOptions: Sendable {
  /// The folder to serve; nil serves the demo, unless there is another server to stand in front of.
  public var root: String?
  /// Whether the root's `index.html` is what every path gives that a browser goes to and that has no file: a single-page application.
  public var isSinglePage = false
  /// Whether pages load themselves again when a file in the root has changed.
  public var watchesRoot = false
  /// The server to stand in front of, such as `http://localhost:5173`; nil for none.
  public var proxy: String?
  /// How long that server may take to begin a response.
  public var proxyTimeout: Duration = .seconds(30)
  /// Whether those servers, on this machine or a private network, may have any certificate. Not from a contract: ours.
  public var proxyInsecure = false
  /// Servers for parts of the site, by the prefix of their paths.
  public var routes: [String: String] = [:]
  /// The address to listen on.
  public var host = "127.0.0.1"
  /// The port to listen on; 0 picks a free one.
  public var port = 8080
  /// The port to listen on with TLS; 0 picks a free one, nil does without TLS.
  public var tlsPort: Int?
  /// The file with the server's certificate and its issuers, in PEM form; nil has one made by the local authority.
  public var tlsCertificate: String?
  /// The file with the certificate's private key, in PEM form.
  public var tlsKey: String?
  /// The origin that the page has in production, such as `https://today.example`.
  public var siteOrigin: String?
  /// Further names of the server, each perhaps with a port, such as `dev.example:443`: those by which something in front of it leads to it.
  public var allowedHosts: [String] = []
  /// Further origins whose pages may use the bridge, such as `http://localhost:5173`.
  public var allowedOrigins: [String] = []
  /// What waits for the sockets; only the first server of a process decides it.
  public var eventLoop = EventLoopKind.poll
  /// The platform that pages are told they run on.
  public var platform = Platform.ios
  /// Who answers sheets.
  public var present = PresentationMode.page
  /// The bearer token of the control API; nil has the server make one up.
  public var controlToken: Secret?
  /// The bridges: contracts between pages and their native host.
  public var bridges = BridgeList()
  /// How much the server takes.
  public var limits = FootbridgeLimits()
  /// Ways for things to go, by name, for sessions to choose from.
  public var scenarios: [String: Scenario] = [:]
  /// The scenario of sessions that choose none; one of ``scenarios``.
  public var scenario: String?
  /// The number from which the ids of sessions follow: with the same one, the same things that happen get the same ids. Nil for ids that
  /// nobody can foresee. Keys, cookies, tickets and the control token never follow from it.
  public var seed: UInt64?

  /// The folder of what outlives the server; nil keeps nothing (`--ephemeral`).
  public var state: String? = StateDirectory.defaultPath
  /// Makes the host of each new page: an instance of the app's own subclass of `BridgeHost`, or a host with the app's own configuration. Nil
  /// has Footbridge make it.
  ///
  /// What the host has registered stays. Its capture slots keep their handlers; if the app has not touched them, Footbridge shows its own
  /// sheets. The clock and the ids of the page's session replace those of the host. Footbridge calls this once more when the server starts,
  /// to learn the scripts that documents begin with. If it returns the same host again, that host serves the newest page only.
  public var makeHost: (@Sendable @BridgeActor () -> BridgeHost)?
  /// Called with the host of each new page, before the page's first message. A program registers here what its app can do. This comes last,
  /// so it may replace what Footbridge has registered.
  public var onPage: (@Sendable @BridgeActor (BridgeHost) -> Void)?

  /// The usual options.
  public init() {}
}

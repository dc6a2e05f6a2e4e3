package import BridgeCore
package import BridgeRuntime
package import Sessions

/// What is set about the site: where it comes from, its origins and addresses, and what is changed on its way.
package struct SiteOptions: Sendable {
  /// The origin that the page has in production; nil if it is unknown.
  package var siteOrigin: String?
  /// The sites that browsers see under their own origins, as `ORIGIN` or `ORIGIN=URL`.
  package var sites: [String] = []
  /// Whether the forward proxy refuses everything but ``sites``.
  package var onlySites = false
  /// The password of the forward proxy; nil lets only this machine use it.
  package var siteToken: Secret?
  /// The upstream server to stand in front of; nil for none.
  package var proxy: String?
  /// The upstream servers of single paths, by their prefix.
  package var routes: [String: String] = [:]
  /// How long an upstream server may take to begin an answer; nil for no limit.
  package var proxyTimeout: Duration?
  /// The host name in requests to upstream servers; nil for the usual one.
  package var proxyHost: ProxyHost?
  /// Whether any certificate of a nearby upstream server is accepted.
  package var proxyInsecure = false
  /// Whether upstream servers are asked with HTTP/1.1 only.
  package var proxyHTTP1 = false
  /// Whether links in documents are changed so that they lead to this server.
  package var proxyRewritesLinks = false
  /// The paths that get no shim.
  package var excludedPaths: [String] = []
  /// Header fields for requests to upstream servers.
  package var requestHeaders: [String] = []
  /// Header fields for responses of the site.
  package var responseHeaders: [String] = []
  /// The file of the access log; nil for none.
  package var accessLog: String?
  /// The HAR file; nil for none.
  package var har: String?
  /// The address that the server listens on.
  package var host = "127.0.0.1"
  /// Further names of the server.
  package var allowedHosts: [String] = []
  /// The port for https; nil for none.
  package var tlsPort: Int?
  /// The file with the server's own certificate; nil for one of the local authority.
  package var tlsCertificate: String?
  /// The file with its key.
  package var tlsKey: String?
  /// The platform that is reported to pages.
  package var platform = Platform.ios
  /// Whether a page in a test runner's frame is the app's main frame.
  package var isAppFramed = false
  /// The limits.
  package var limits = FootbridgeLimits()

  package init() {}
}

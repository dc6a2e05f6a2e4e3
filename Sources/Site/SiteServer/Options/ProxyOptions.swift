package import Sessions

/// What is set about the upstream servers of the site.
public struct ProxyOptions: Sendable {
  /// The address of the upstream server, such as `http://localhost:5173`; nil for none. Footbridge stands in front of it.
  public var proxy: String?
  /// Upstream servers for parts of the site, by path prefix.
  public var routes: [String: String] = [:]
  /// The maximum time for an upstream server to begin a response; nil for no limit.
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
  /// Header fields to add to requests for upstream servers. Without a value, the field is removed.
  public var requestHeaders = FieldChanges()

  package init() {}

  /// Checks a route: the prefix of its paths, and the address of its server.
  package static func checkRoute(from prefix: String, to upstream: String) throws(SiteError) {
    _ = try ProxyRoute(prefix: prefix, upstream: upstream)
  }
}

extension ServerOption {
  package static let proxyTimeout = ServerOption(
    "proxyTimeout", .text, "seconds",
    help: "How long the upstream server may take to begin an answer. (default: 0, no limit)")
  package static let proxyHost = ServerOption(
    "proxyHost", .text, "host",
    help: """
      The host name in requests to the upstream server: keep (the browser's), upstream (the server's own), or \
      another name. (default: keep for a server on this machine, else upstream)
      """)
  package static let proxyRewriteLinks = ServerOption(
    "proxyRewriteLinks", .flag,
    help:
      "Rewrite links in documents to the upstream server, or to the site in production, so that they lead to this server."
  )
  package static let proxyInsecure = ServerOption(
    "proxyInsecure", .flag,
    help: "Accept any https certificate of an upstream server on this machine or a private network.")
  package static let proxyHttp1 = ServerOption(
    "proxyHttp1", .flag, help: "Use HTTP/1.1 with upstream servers, even with one that would choose HTTP/2.")
  package static let requestHeader = ServerOption(
    "requestHeader", .fields, "name: value",
    help: "A header for requests to upstream servers; without a value, the header is removed. Can be repeated.")
}

/// How the options are read.
extension ProxyOptions {
  package static let options: [ServerOption] = [
    .proxyTimeout, .proxyHost, .proxyRewriteLinks, .proxyInsecure, .proxyHttp1, .requestHeader,
  ]

  /// Reads all but ``proxy`` and ``routes``, which exclude other places of the site: see ``SiteOptions``.
  init(_ values: OptionValues) throws(OptionError) {
    if let timeout = try values.seconds(.proxyTimeout, in: 0...86_400) {
      proxyTimeout = timeout == .zero ? nil : timeout
    }
    proxyHost = try values.parsed(.proxyHost) { (text) throws(SiteError) in try ProxyHost(text) }
    proxyRewritesLinks = try values.isSet(.proxyRewriteLinks)
    proxyInsecure = try values.isSet(.proxyInsecure)
    proxyHTTP1 = try values.isSet(.proxyHttp1)
    requestHeaders = try values.texts(.requestHeader) { (texts) throws(SiteError) in
      try FieldChanges(texts, option: ServerOption.requestHeader.flag)
    }
  }
}

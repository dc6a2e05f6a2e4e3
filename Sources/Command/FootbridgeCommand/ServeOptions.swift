import ArgumentParser
import Footbridge

/// The options of all commands that start a server.
struct ServeOptions: ParsableArguments {
  @Option(
    name: .of(.root),
    help: ArgumentHelp("The folder of the site. (default: the demo)", valueName: "dir"))
  var root: String?

  @Flag(
    name: .of(.spa), help: "Answer paths without a file with the root's index.html, as single-page applications need.")
  var spa = false

  @Flag(name: .of(.watch), help: "Reload pages when a file in the root changes.")
  var watch = false

  @Option(
    name: .of(.proxy),
    help: ArgumentHelp("The upstream server to stand in front of, instead of a folder.", valueName: "url"))
  var proxy: String?

  @Option(
    name: .of(.proxyTimeout),
    help: ArgumentHelp(
      "How long the upstream server may take to begin an answer. (default: 0, no limit)", valueName: "seconds")
  )
  var proxyTimeout: String?

  @Option(
    name: .of(.proxyHost),
    help: ArgumentHelp(
      """
      The host name in requests to the upstream server: keep (the browser's), upstream (the server's own), or \
      another name. (default: keep for a server on this machine, else upstream)
      """,
      valueName: "host"))
  var proxyHost: String?

  @Flag(
    name: .of(.proxyRewriteLinks),
    help:
      "Rewrite links in documents to the upstream server, or to the site in production, so that they lead to this server."
  )
  var proxyRewriteLinks = false

  @Flag(
    name: .of(.proxyInsecure),
    help: "Accept any https certificate of an upstream server on this machine or a private network.")
  var proxyInsecure = false

  @Flag(name: .of(.proxyHttp1), help: "Use HTTP/1.1 with upstream servers, even with one that would choose HTTP/2.")
  var proxyHttp1 = false

  @Option(
    name: .of(.site),
    help: ArgumentHelp(
      "A site that browsers see under its own origin, with this server as their proxy. url is the server to get it from. Can be repeated.",
      valueName: "origin[=url]"))
  var site: [String] = []

  @Flag(name: .of(.onlySites), help: "As a proxy, refuse everything but these sites.")
  var onlySites = false

  @Option(
    name: .of(.siteToken),
    help: ArgumentHelp(
      "The password of the proxy. With one, other machines may use it. (default: only this machine may)",
      valueName: "token"))
  var siteToken: String?

  @Option(
    name: .of(.exclude),
    help: ArgumentHelp(
      "A path of the site to leave alone, with everything below it: no shim. * stands for any characters. Can be repeated.",
      valueName: "path"))
  var exclude: [String] = []

  @Option(
    name: .of(.requestHeader),
    help: ArgumentHelp(
      "A header for requests to upstream servers; without a value, the header is removed. Can be repeated.",
      valueName: "name: value"))
  var requestHeader: [String] = []

  @Option(
    name: .of(.responseHeader),
    help: ArgumentHelp(
      "A header for responses of the site; without a value, the header is removed. Can be repeated.",
      valueName: "name: value"))
  var responseHeader: [String] = []

  @Option(
    name: .of(.accessLog),
    help: ArgumentHelp("A file that gets a line for each request; - is standard error.", valueName: "file"))
  var accessLog: String?

  @Option(
    name: .of(.har),
    help: ArgumentHelp(
      "A file that gets all requests of the site and their responses (HAR 1.2), without secrets.", valueName: "file"))
  var har: String?

  @OptionGroup var onside: OnsideServeOptions

  @Option(
    name: .of(.config),
    help: ArgumentHelp("A YAML file with these options and more.", valueName: "footbridge.yaml"))
  var config: String?

  @Option(
    name: .of(.host),
    help: ArgumentHelp("The address to listen on. (default: 127.0.0.1)", valueName: "address"))
  var host: String?

  @Option(
    name: .of(.port),
    help: ArgumentHelp("The port to listen on; 0 picks a free port. (default: 8080)", valueName: "port"))
  var port: String?

  @Option(
    name: .of(.tlsPort),
    help: ArgumentHelp("The port to listen on for https as well; 0 picks a free port.", valueName: "port"))
  var tlsPort: String?

  @Option(
    name: .of(.tlsCert),
    help: ArgumentHelp(
      "The certificate for https, followed by its issuers, as PEM. (default: one from the local authority)",
      valueName: "file"))
  var tlsCert: String?

  @Option(
    name: .of(.tlsKey),
    help: ArgumentHelp("The private key of the certificate, as PEM.", valueName: "file"))
  var tlsKey: String?

  @Option(
    name: .of(.dashboardPort),
    help: ArgumentHelp(
      "The port of the dashboard, which only this machine can reach; 0 picks a free port, off means no dashboard. (default: 0)",
      valueName: "port"))
  var dashboardPort: String?

  @Option(
    name: .of(.siteOrigin),
    help: ArgumentHelp("The https origin that the page has in production.", valueName: "https://…"))
  var siteOrigin: String?

  @Option(
    name: .of(.allowHost),
    help: ArgumentHelp(
      "Another host name of this server, such as that of a proxy in front of it. Can be repeated.",
      valueName: "name[:port]"))
  var allowHost: [String] = []

  @Option(
    name: .of(.allowOrigin),
    help: ArgumentHelp("Another origin whose pages may use the bridge. Can be repeated.", valueName: "origin"))
  var allowOrigin: [String] = []

  @Option(
    name: .of(.trustedProxy),
    help: ArgumentHelp(
      "A proxy in front of this server. Its X-Forwarded-For, -Host and -Proto are trusted. Can be repeated.",
      valueName: "address[/length]"))
  var trustedProxy: [String] = []

  @Option(
    name: .of(.platform),
    help: ArgumentHelp("The platform to report to pages: ios or macos. (default: ios)", valueName: "platform"))
  var platform: String?

  @Option(
    name: .of(.present),
    help: ArgumentHelp(
      """
      Who answers native sheets: page (the person in the page), control (the control API) or auto (everything is \
      approved at once). (default: page)
      """,
      valueName: "mode"))
  var present: String?

  @Option(
    name: .of(.controlToken),
    help: ArgumentHelp(
      "The bearer token of the control API. (default: a new one, which is printed)", valueName: "token"))
  var controlToken: String?

  @Option(
    name: .of(.controlTokenFile),
    help: ArgumentHelp(
      "A file with that token. Unlike the flag, it does not show the token in the list of processes.", valueName: "file"
    ))
  var controlTokenFile: String?

  @Flag(name: .of(.openMetrics), help: "Let everybody read the metrics for Prometheus, without the token.")
  var openMetrics = false

  @Flag(
    name: .of(.framedApp),
    help: """
      Treat a page in a test runner's frame as the app's main frame, if both have the same origin. For \
      Cypress.
      """)
  var framedApp = false

  @Option(
    name: .of(.scenario),
    help: ArgumentHelp("The scenario of footbridge.yaml that sessions begin with.", valueName: "name"))
  var scenario: String?

  @Option(
    name: .of(.seed),
    help: ArgumentHelp(
      "The seed of the ids that sessions create: the same seed gives the same ids.", valueName: "number"))
  var seed: String?

  @Option(
    name: .of(.state),
    help: ArgumentHelp(
      "Where to keep the state between runs: a folder, or postgresql://user@host/database. (default: a folder for this project in the XDG state directory)",
      valueName: "dir|url"))
  var state: String?

  @Option(
    name: .of(.stateKey),
    help: ArgumentHelp(
      "The file with the key that seals the secrets in a PostgreSQL database (--state).", valueName: "file"))
  var stateKey: String?

  @Option(
    name: .of(.replicaAddress),
    help: ArgumentHelp(
      "The address at which other servers on the same PostgreSQL database reach this one. (default: its host and port)",
      valueName: "host:port"))
  var replicaAddress: String?

  @Option(
    name: .of(.replicaLease),
    help: ArgumentHelp(
      "How long this server keeps its sessions without reaching that database. (default: 10)", valueName: "seconds"))
  var replicaLease: String?

  @Flag(name: .of(.ephemeral), help: "Keep no state.")
  var ephemeral = false

  @Option(
    name: .of(.import),
    help: ArgumentHelp(
      "An exported session: sessions of browsers begin as its copies. (default: an app that was just installed)",
      valueName: "file.json"))
  var importedFile: String?

  @Option(
    name: .of(.exportOnExit),
    help: ArgumentHelp(
      "When the server stops, write the session that was used last to this file, with its transcript and without secrets.",
      valueName: "file.json"))
  var exportOnExit: String?

  @Option(
    name: .of(.drainTimeout),
    help: ArgumentHelp(
      "How long the server may take to finish requests in progress and to stop. (default: 5)", valueName: "seconds"))
  var drainTimeout: String?

  @Option(
    name: .of(.eventLoop),
    help: ArgumentHelp(
      "The event loop: poll, libev, or auto, which is libev where it is installed. (default: auto)",
      valueName: "kind"))
  var eventLoop: String?

  @Option(
    name: .of(.logLevel),
    help: ArgumentHelp(
      "How much to log: trace, debug, info, notice, warning or error. (default: info)", valueName: "level"))
  var logLevel: String?

  private func joined(_ values: [String], _ option: ServerOption) -> String? {
    values.isEmpty ? nil : values.joined(separator: option.separator)
  }

  /// The value of an option's flag; nil if it was not given. The values of an option that can be repeated are joined by its separator.
  func value(of option: ServerOption) -> String? {
    switch option {
    case .root: root
    case .spa: spa ? "true" : nil
    case .watch: watch ? "true" : nil
    case .proxy: proxy
    case .proxyTimeout: proxyTimeout
    case .proxyHost: proxyHost
    case .proxyInsecure: proxyInsecure ? "true" : nil
    case .proxyHttp1: proxyHttp1 ? "true" : nil
    case .proxyRewriteLinks: proxyRewriteLinks ? "true" : nil
    case .exclude: joined(exclude, option)
    case .requestHeader: joined(requestHeader, option)
    case .responseHeader: joined(responseHeader, option)
    case .accessLog: accessLog
    case .har: har
    case .site: joined(site, option)
    case .onlySites: onlySites ? "true" : nil
    case .siteToken: siteToken
    case .catalog, .onsideContract: onside.value(of: option)
    case .config: config
    case .host: host
    case .port: port
    case .tlsPort: tlsPort
    case .tlsCert: tlsCert
    case .tlsKey: tlsKey
    case .dashboardPort: dashboardPort
    case .siteOrigin: siteOrigin
    case .allowHost: joined(allowHost, option)
    case .allowOrigin: joined(allowOrigin, option)
    case .trustedProxy: joined(trustedProxy, option)
    case .platform: platform
    case .present: present
    case .scenario: scenario
    case .seed: seed
    case .controlToken: controlToken
    case .controlTokenFile: controlTokenFile
    case .openMetrics: openMetrics ? "true" : nil
    case .framedApp: framedApp ? "true" : nil
    case .state: state
    case .stateKey: stateKey
    case .replicaAddress: replicaAddress
    case .replicaLease: replicaLease
    case .ephemeral: ephemeral ? "true" : nil
    case .import: importedFile
    case .exportOnExit: exportOnExit
    case .drainTimeout: drainTimeout
    case .eventLoop: eventLoop
    case .logLevel: logLevel
    }
  }
}

extension NameSpecification {
  /// The flag of an option.
  static func of(_ option: ServerOption) -> NameSpecification { .customLong(option.flagName) }
}

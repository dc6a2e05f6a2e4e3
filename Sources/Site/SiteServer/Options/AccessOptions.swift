public import BridgeRuntime
package import Sessions

/// The addresses of the server, and who may use it.
public struct AccessOptions: Sendable {
  /// The address to listen on.
  public var host = "127.0.0.1"
  /// The port to listen on; 0 picks a free one.
  public var port = 8080
  /// The port of the dashboard on this machine's loopback address; 0 picks a free one, nil means no dashboard.
  public var dashboardPort: Int?
  /// Other host names of the server, such as that of a proxy in front of it, with or without a port: `dev.example:443`.
  public var allowedHosts: [AllowedHost] = []
  /// The IP addresses and networks of proxies in front of the server. The server trusts what they report about a client's request:
  /// address, host and scheme.
  public var trustedProxies = TrustedProxies()
  /// The bearer token of the control API. Nil generates one.
  public var controlToken: Secret?
  /// Whether `/__footbridge/metrics` needs no token.
  public var hasOpenMetrics = false

  package init() {}
}

extension ServerOption {
  package static let host = ServerOption(
    "host", .text, "address", help: "The address to listen on. (default: 127.0.0.1)")
  package static let port = ServerOption(
    "port", .text, "port", help: "The port to listen on; 0 picks a free port. (default: 8080)")
  package static let dashboardPort = ServerOption(
    "dashboardPort", .textOrOff, "port",
    help:
      "The port of the dashboard, which only this machine can reach; 0 picks a free port, off means no dashboard. (default: 0)"
  )
  package static let allowHost = ServerOption(
    "allowHost", .list, "name[:port]",
    help: "Another host name of this server, such as that of a proxy in front of it. Can be repeated.")
  package static let trustedProxy = ServerOption(
    "trustedProxy", .list, "address[/length]",
    help: "A proxy in front of this server. Its X-Forwarded-For, -Host and -Proto are trusted. Can be repeated.")
  package static let controlToken = ServerOption(
    "controlToken", .text, "token",
    help: "The bearer token of the control API. (default: a new one, which is printed)")
  package static let controlTokenFile = ServerOption(
    "controlTokenFile", .pathOfInput, "file",
    help: "A file with that token. Unlike the flag, it does not show the token in the list of processes.")
  package static let openMetrics = ServerOption(
    "openMetrics", .flag, help: "Let everybody read the metrics for Prometheus, without the token.")
}

/// How the options are read.
extension AccessOptions {
  package static let options: [ServerOption] = [
    .host, .port, .dashboardPort, .allowHost, .trustedProxy, .controlToken, .controlTokenFile, .openMetrics,
  ]

  /// Reads all but the file with the token: see ``controlTokenFile(_:)``.
  init(_ values: OptionValues) throws(OptionError) {
    if let (host, _) = values[.host] {
      // Brackets around an IPv6 address, as in a URL, are removed.
      self.host = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    }
    if let port = try values.number(.port, in: 0...65_535) { self.port = port }
    dashboardPort = try Self.dashboardPort(values)
    allowedHosts = try values.list(.allowHost) { (text) throws(SiteError) in try AllowedHost(text) }
    trustedProxies = try values.texts(.trustedProxy) { (texts) throws(SiteError) in try TrustedProxies(texts) }
    if try Self.controlTokenFile(values) == nil, let (token, source) = values[.controlToken] {
      controlToken = try Self.controlToken(token, from: source)
    }
    hasOpenMetrics = try values.isSet(.openMetrics)
  }

  /// The port of the dashboard; nil if it is off. By default, a free port.
  private static func dashboardPort(_ values: OptionValues) throws(OptionError) -> Int? {
    guard let (value, source) = values[.dashboardPort] else { return 0 }
    if value == "off" || value == "false" { return nil }
    guard let port = Int(value), (0...65_535).contains(port) else {
      throw OptionError("\(source) is \(value). It must be a number from 0 to 65535, or off.")
    }
    return port
  }

  /// The file with the token of the control API; nil unless the first source that sets the token names a file.
  package static func controlTokenFile(_ values: OptionValues) throws(OptionError) -> (path: String, source: String)? {
    for kind in OptionValues.Kind.allCases {
      let (token, file) = (values[.controlToken, kind], values[.controlTokenFile, kind])
      if let token, let file {
        throw OptionError(
          "\(token.source) and \(file.source) are mutually exclusive: both set the token of the control API. Use one of them."
        )
      }
      if token != nil { return nil }
      if let file { return (file.value, file.source) }
    }
    return nil
  }

  /// Reads the token of the control API from the content of a file. Ignores a line break at the end.
  package static func controlToken(inFile text: String, named name: String) throws(OptionError) -> Secret {
    let token = text.prefix(upTo: text.lastIndex { !$0.isNewline }.map { text.index(after: $0) } ?? text.startIndex)
    guard !token.isEmpty else { throw OptionError("\(name) is empty. Write the token of the control API into it.") }
    return try controlToken(String(token), from: name)
  }

  private static func controlToken(_ token: String, from source: String) throws(OptionError) -> Secret {
    guard ControlToken.isWellFormed(token) else {
      throw OptionError(
        "\(source) is not a bearer token. Use letters, digits and - . _ ~ + / only, and = only at the end.")
    }
    return Secret(token)
  }
}

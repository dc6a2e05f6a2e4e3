import SiteServer
package import Sessions
import BridgeCore
public import BridgeRuntime
import HTTP1
import WebServer

/// The sources of options. A flag overrides an environment variable `FOOTBRIDGE_…`, and a variable overrides a key of the YAML file.
public struct OptionSources: Sendable {
  /// The kinds of sources; each one overrides those after it.
  enum Kind: Int, CaseIterable, Comparable {
    case flag, variable, file

    static func < (one: Kind, other: Kind) -> Bool { one.rawValue < other.rawValue }
  }

  private let flags: [ServerOption: String]
  private let environment: [String: String]
  let file: OptionFile?

  /// Creates the sources from the values of the flags that were given, the process's environment, and the YAML file.
  public init(flags: [ServerOption: String], environment: [String: String], file: OptionFile? = nil) {
    self.flags = flags
    self.environment = environment
    self.file = file
  }

  /// What other programs may read differently in the file, as sentences for the log.
  public var remarks: [String] { file?.remarks ?? [] }

  /// The value of an option, and the option's name in its source, from the first source that has it. An empty variable counts as not set.
  public subscript(_ option: ServerOption) -> (value: String, source: String)? {
    kind(of: option).flatMap { self[option, $0] }
  }

  /// The value of an option in one source, and the option's name in that source.
  subscript(_ option: ServerOption, _ kind: Kind) -> (value: String, source: String)? {
    switch kind {
    case .flag:
      return flags[option].map { ($0, option.flag) }
    case .variable:
      guard let value = environment[option.variable], !value.isEmpty else { return nil }
      return (value, option.variable)
    case .file:
      guard let file, let key = option.key, let value = file.values[option] else { return nil }
      return (value, "\(key) in \(file.path)")
    }
  }

  /// The kind of the first source that has an option.
  func kind(of option: ServerOption) -> Kind? { Kind.allCases.first { self[option, $0] != nil } }

  /// The options of a server, without the catalogue (a separate file).
  public func options() throws(OptionError) -> FootbridgeOptions {
    var options = FootbridgeOptions()
    (options.root, options.proxy, options.sites) = try site()
    options.onlySites = try isSetForSites(.onlySites, options.sites)
    options.siteToken = try siteToken(options.sites)
    options.isSinglePage = try isSetForRoot(.spa, options.root)
    options.watchesRoot = try isSetForRoot(.watch, options.root)
    if let timeout = try seconds(.proxyTimeout, in: 0...86_400) {
      options.proxyTimeout = timeout == .zero ? nil : timeout
    }
    options.proxyHost = try proxyHost()
    if let timeout = try seconds(.drainTimeout, in: 0...86_400) { options.drainTimeout = timeout }
    if let routes = file?.routes { options.routes = routes }
    options.proxyRewritesLinks = try isSet(.proxyRewriteLinks)
    options.excludedPaths = try list(.exclude) { (text) throws(SiteError) in _ = try ExcludedPaths([text]) }
    options.requestHeaders = try list(.requestHeader) { (text) throws(SiteError) in
      _ = try FieldChanges([text], option: ServerOption.requestHeader.flag)
    }
    options.responseHeaders = try list(.responseHeader) { (text) throws(SiteError) in
      _ = try FieldChanges([text], option: ServerOption.responseHeader.flag)
    }
    options.accessLog = self[.accessLog]?.value
    options.har = self[.har]?.value
    if let (host, _) = self[.host] {
      // Brackets around an IPv6 address, as in a URL, are removed.
      options.host = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    }
    if let port = try number(.port, in: 0...65_535) { options.port = port }
    options.proxyInsecure = try isSet(.proxyInsecure)
    options.proxyHTTP1 = try isSet(.proxyHttp1)
    options.dashboardPort = try dashboardPort()
    options.tlsPort = try number(.tlsPort, in: 0...65_535)
    options.tlsCertificate = self[.tlsCert]?.value
    options.tlsKey = self[.tlsKey]?.value
    if options.tlsPort == nil, let (_, source) = self[.tlsCert] ?? self[.tlsKey] {
      throw OptionError("\(source) has no effect without \(ServerOption.tlsPort.flag).")
    }
    if let (origin, source) = self[.siteOrigin] {
      do {
        _ = try HTTPOrigin(siteOrigin: origin)
      } catch {
        throw OptionError("\(source): \(error)")
      }
      guard options.sites.isEmpty else {
        throw OptionError(
          "\(source) and \(ServerOption.site.flag) are mutually exclusive: each site has its own origin. Use one of them."
        )
      }
      options.siteOrigin = origin
    }
    options.allowedHosts = try list(.allowHost) { (text) throws(SiteError) in _ = try AllowedHost(text) }
    options.allowedOrigins = try list(.allowOrigin) { (text) throws(SiteError) in
      guard HTTPOrigin(text) != nil else { throw .allowedOriginInvalid(text) }
    }
    options.trustedProxies = try list(.trustedProxy) { (text) throws(SiteError) in
      _ = try TrustedProxies([text])
    }
    if let platform: Platform = try choice(.platform) { options.platform = platform }
    options.isAppFramed = try isSet(.framedApp)
    if let eventLoop: EventLoopKind = try choice(.eventLoop) { options.eventLoop = eventLoop }
    options.project = try project() ?? options.project
    options.state = try state(default: StateDirectory.defaultPath(ofProject: options.project))
    options.stateKey = self[.stateKey]?.value
    options.replicaAddress = self[.replicaAddress]?.value
    if let lease = try seconds(.replicaLease, in: 1...3600) { options.replicaLease = lease }
    options.exportOnExit = self[.exportOnExit]?.value
    if let present: PresentationMode = try choice(.present) { options.present = present }
    if try controlTokenFile() == nil, let (token, source) = self[.controlToken] {
      options.controlToken = try Self.controlToken(token, from: source)
    }
    options.hasOpenMetrics = try isSet(.openMetrics)
    if let bridges = file?.bridges { options.bridges = bridges }
    if let limits = file?.limits { options.limits = limits }
    options.app = file?.app
    options.silencedRules = file?.silencedRules ?? []
    options.seed = try seed()
    if let scenarios = file?.scenarios { options.scenarios = scenarios }
    options.scenario = try scenario()
    return options
  }

  /// The beginning of an error about a path: the path's source, such as `root in footbridge.yaml: `. Empty for a flag.
  public func origin(of path: String) -> String {
    for option in ServerOption.allCases where option.isPathOfInput || option == .state {
      if let (value, source) = self[option], value == path, !source.hasPrefix("--") { return "\(source): " }
    }
    return ""
  }

  /// Reads the token of the control API from the content of the file that ``controlTokenFile()`` names. Ignores a line break at the end.
  public func controlToken(inFile text: String, named name: String) throws(OptionError) -> Secret {
    let token = text.prefix(upTo: text.lastIndex { !$0.isNewline }.map { text.index(after: $0) } ?? text.startIndex)
    guard !token.isEmpty else { throw OptionError("\(name) is empty. Write the token of the control API into it.") }
    return try Self.controlToken(String(token), from: name)
  }

  private static func controlToken(_ token: String, from source: String) throws(OptionError) -> Secret {
    guard ControlToken.isWellFormed(token) else {
      throw OptionError(
        "\(source) is not a bearer token. Use letters, digits and - . _ ~ + / only, and = only at the end.")
    }
    return Secret(token)
  }

  private func proxyHost() throws(OptionError) -> ProxyHost? {
    guard let (text, source) = self[.proxyHost] else { return nil }
    do {
      return try ProxyHost(text)
    } catch {
      throw OptionError("\(source): \(error)")
    }
  }

  /// The port of the dashboard; nil if it is off. By default, a free port.
  private func dashboardPort() throws(OptionError) -> Int? {
    guard let (value, source) = self[.dashboardPort] else { return 0 }
    if value == "off" || value == "false" { return nil }
    guard let port = Int(value), (0...65_535).contains(port) else {
      throw OptionError("\(source) is \(value). It must be a number from 0 to 65535, or off.")
    }
    return port
  }

  private func seed() throws(OptionError) -> UInt64? {
    guard let (value, source) = self[.seed] else { return nil }
    guard let seed = UInt64(value) else {
      throw OptionError("\(source) is \(value). It must be a whole number from 0 to \(UInt64.max).")
    }
    return seed
  }

  private func scenario() throws(OptionError) -> String? {
    guard let (name, source) = self[.scenario] else { return nil }
    let names = file?.scenarios.keys.sorted() ?? []
    guard names.contains(name) else {
      let choice = names.isEmpty ? ", and there is none" : ": \(names.joined(separator: ", "))"
      throw OptionError("\(source) is \(name). It must be one of the file's scenarios\(choice).")
    }
    return name
  }

  /// Whether an option is set to true.
  func isSet(_ option: ServerOption) throws(OptionError) -> Bool {
    guard let (value, source) = self[option] else { return false }
    switch value {
    case "true": return true
    case "false": return false
    default: throw OptionError("\(source) is \(value). It must be true or false.")
    }
  }

  /// The values of an option that can be repeated.
  func list(
    _ option: ServerOption,
    check: (String) throws(SiteError) -> Void
  ) throws(OptionError) -> [String] {
    guard let (text, source) = self[option] else { return [] }
    let values = text.split(separator: option.separator).map { String($0.trimmingPrefix(while: \.isWhitespace)) }
    for value in values {
      do {
        try check(value)
      } catch {
        throw OptionError("\(source): \(error)")
      }
    }
    return values
  }

  private func number(_ option: ServerOption, in range: ClosedRange<Int>) throws(OptionError) -> Int? {
    guard let (value, source) = self[option] else { return nil }
    guard let number = Int(value), range.contains(number) else {
      throw OptionError("\(source) is \(value). It must be a number from \(range.lowerBound) to \(range.upperBound).")
    }
    return number
  }

  private func seconds(_ option: ServerOption, in range: ClosedRange<Double>) throws(OptionError) -> Duration? {
    guard let (value, source) = self[option] else { return nil }
    guard let seconds = Double(value), range.contains(seconds) else {
      throw OptionError("\(source) is \(value). It must be a number of seconds, at most \(Int(range.upperBound)).")
    }
    return .seconds(seconds)
  }

  func choice<Choice: RawRepresentable<String> & CaseIterable>(_ option: ServerOption) throws(OptionError)
    -> Choice?
  {
    guard let (value, source) = self[option] else { return nil }
    guard let choice = Choice(rawValue: value) else {
      let choices = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw OptionError("\(source) is \(value). It must be one of: \(choices).")
    }
    return choice
  }
}

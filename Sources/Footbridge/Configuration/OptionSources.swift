public import BridgeRuntime
import HTTP1
public import OnsideKit
import WebServer

/// Where options come from: a flag, an environment variable `FOOTBRIDGE_…` and a key of the YAML file mean the same, in that order.
public struct OptionSources: Sendable {
  /// The kinds of sources, those that count first before the others.
  enum Kind: Int, CaseIterable, Comparable {
    case flag, variable, file

    static func < (one: Kind, other: Kind) -> Bool { one.rawValue < other.rawValue }
  }

  private let flags: [String: String]
  private let environment: [String: String]
  let file: OptionFile?

  /// Puts the sources together. Flags are by their name without the dashes in front, such as `site-origin`.
  public init(flags: [String: String], environment: [String: String], file: OptionFile? = nil) {
    self.flags = flags
    self.environment = environment
    self.file = file
  }

  /// The value of an option, from the first source that has it, with the name that it has there. A variable that is empty is not set.
  public subscript(option: String) -> (value: String, source: String)? {
    kind(of: option).flatMap { self[option, $0] }
  }

  /// The value of an option in one source, with the name that it has there.
  subscript(option: String, kind: Kind) -> (value: String, source: String)? {
    switch kind {
    case .flag:
      return flags[option].map { ($0, "--\(option)") }
    case .variable:
      let variable = "FOOTBRIDGE_" + option.uppercased().replacing("-", with: "_")
      guard let value = environment[variable], !value.isEmpty else { return nil }
      return (value, variable)
    case .file:
      guard let file, let value = file.values[option] else { return nil }
      return (value, "\(OptionFile.key(of: option)) in \(file.path)")
    }
  }

  /// Where an option comes from.
  func kind(of option: String) -> Kind? { Kind.allCases.first { self[option, $0] != nil } }

  /// The options that a server takes, the catalogue left out: it is another file.
  public func options() throws(OptionError) -> FootbridgeOptions {
    var options = FootbridgeOptions()
    (options.root, options.proxy) = try site()
    options.isSinglePage = try isSetForRoot("spa", options.root)
    options.watchesRoot = try isSetForRoot("watch", options.root)
    if let timeout = try seconds("proxy-timeout", in: 0.001...86_400) { options.proxyTimeout = timeout }
    if let routes = file?.routes { options.routes = routes }
    if let (host, _) = self["host"] {
      // In brackets as in a URL.
      options.host = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    }
    if let port = try number("port", in: 0...65_535) { options.port = port }
    options.proxyInsecure = try isSet("proxy-insecure")
    options.tlsPort = try number("tls-port", in: 0...65_535)
    options.tlsCertificate = self["tls-cert"]?.value
    options.tlsKey = self["tls-key"]?.value
    if options.tlsPort == nil, let (_, source) = self["tls-cert"] ?? self["tls-key"] {
      throw OptionError("\(source) has no meaning without --tls-port.")
    }
    if let (origin, source) = self["site-origin"] {
      do {
        _ = try HTTPOrigin(siteOrigin: origin)
      } catch {
        throw OptionError("\(source): \(error)")
      }
      options.siteOrigin = origin
    }
    options.allowedHosts = try list("allow-host") { (text) throws(FootbridgeError) in _ = try AllowedHost(text) }
    options.allowedOrigins = try list("allow-origin") { (text) throws(FootbridgeError) in
      guard HTTPOrigin(text) != nil else { throw .allowedOriginInvalid(text) }
    }
    if let platform: Platform = try choice("platform") { options.platform = platform }
    if let eventLoop: EventLoopKind = try choice("event-loop") { options.eventLoop = eventLoop }
    options.state = try state(default: options.state)
    if let present: PresentationMode = try choice("present") { options.present = present }
    if try controlTokenFile() == nil, let (token, source) = self["control-token"] {
      options.controlToken = try Self.controlToken(token, from: source)
    }
    if let merchant = file?.onside.merchant { options.merchant = merchant }
    if let today = file?.today.configuration { options.today = today }
    if let gbg = file?.gbg { options.gbg = gbg }
    if let limits = file?.limits { options.limits = limits }
    options.seed = try seed()
    if let scenarios = file?.scenarios { options.scenarios = scenarios }
    options.scenario = try scenario()
    return options
  }

  /// Where a path comes from that is not usable, behind which its error can stand; empty for a flag, which its user has before them.
  public func origin(of path: String) -> String {
    for option in OptionFile.paths + ["state"] {
      if let (value, source) = self[option], value == path, !source.hasPrefix("--") { return "\(source): " }
    }
    return ""
  }

  /// Adds what flags and the file say of the store to `configuration`.
  public func apply(to configuration: inout OnsideConfiguration) throws(OptionError) {
    file?.onside.apply(to: &configuration)
    if let contract: OnsideContract = try choice("onside-contract") { configuration.settings.contract = contract }
  }

  /// Checks what the file says of the store against the catalogue, which is another file.
  public func check(with configuration: OnsideConfiguration) throws(OptionError) {
    try file?.onside.check(with: configuration.catalogue)
  }

  /// The token of the control API in the content of the file that ``controlTokenFile()`` names. A line break at its end does not count.
  public func controlToken(inFile text: String, named name: String) throws(OptionError) -> Secret {
    let token = text.prefix(upTo: text.lastIndex { !$0.isNewline }.map { text.index(after: $0) } ?? text.startIndex)
    guard !token.isEmpty else { throw OptionError("\(name) is empty. Write the token of the control API into it.") }
    return try Self.controlToken(String(token), from: name)
  }

  private static func controlToken(_ token: String, from source: String) throws(OptionError) -> Secret {
    guard ControlToken.isWellFormed(token) else {
      throw OptionError(
        "\(source) is no bearer token: it may have letters, digits, and - . _ ~ + /, with = at its end.")
    }
    return Secret(token)
  }

  private func seed() throws(OptionError) -> UInt64? {
    guard let (value, source) = self["seed"] else { return nil }
    guard let seed = UInt64(value) else {
      throw OptionError("\(source) is \(value). It must be a whole number from 0 to \(UInt64.max).")
    }
    return seed
  }

  private func scenario() throws(OptionError) -> String? {
    guard let (name, source) = self["scenario"] else { return nil }
    let names = file?.scenarios.keys.sorted() ?? []
    guard names.contains(name) else {
      let choice = names.isEmpty ? ", and there is none" : ": \(names.joined(separator: ", "))"
      throw OptionError("\(source) is \(name). It must be one of the file's scenarios\(choice).")
    }
    return name
  }

  /// Whether an option that is true or false is set, and true.
  func isSet(_ option: String) throws(OptionError) -> Bool {
    guard let (value, source) = self[option] else { return false }
    switch value {
    case "true": return true
    case "false": return false
    default: throw OptionError("\(source) is \(value). It must be true or false.")
    }
  }

  /// The values of an option that can be given several times, in one text with commas between them.
  private func list(
    _ option: String,
    check: (String) throws(FootbridgeError) -> Void
  ) throws(OptionError) -> [String] {
    guard let (text, source) = self[option] else { return [] }
    let values = text.split(separator: ",").map { String($0.trimmingPrefix(while: \.isWhitespace)) }
    for value in values {
      do {
        try check(value)
      } catch {
        throw OptionError("\(source): \(error)")
      }
    }
    return values
  }

  private func number(_ option: String, in range: ClosedRange<Int>) throws(OptionError) -> Int? {
    guard let (value, source) = self[option] else { return nil }
    guard let number = Int(value), range.contains(number) else {
      throw OptionError("\(source) is \(value). It must be a number from \(range.lowerBound) to \(range.upperBound).")
    }
    return number
  }

  private func seconds(_ option: String, in range: ClosedRange<Double>) throws(OptionError) -> Duration? {
    guard let (value, source) = self[option] else { return nil }
    guard let seconds = Double(value), range.contains(seconds) else {
      throw OptionError("\(source) is \(value). It must be a number of seconds, at most \(Int(range.upperBound)).")
    }
    return .seconds(seconds)
  }

  private func choice<Choice: RawRepresentable<String> & CaseIterable>(_ option: String) throws(OptionError) -> Choice?
  {
    guard let (value, source) = self[option] else { return nil }
    guard let choice = Choice(rawValue: value) else {
      let choices = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw OptionError("\(source) is \(value). It must be one of: \(choices).")
    }
    return choice
  }
}

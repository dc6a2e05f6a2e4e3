import BridgeCore
public import BridgeRuntime
import Cluster
import Essentials
package import Sessions
import SiteServer

/// The sources of options. A flag overrides an environment variable `FOOTBRIDGE_…`, and a variable overrides a key of the YAML file.
public struct OptionSources: Sendable {
  let values: OptionValues
  let file: OptionFile?

  /// Creates the sources from the values of the flags that were given, the process's environment, and the YAML file.
  public init(flags: [ServerOption: String], environment: [String: String], file: OptionFile? = nil) {
    values = OptionValues(flags: flags, environment: environment, file: file.map { ($0.path, $0.values) })
    self.file = file
  }

  /// What is allowed, and probably not meant, as sentences for the log.
  public var remarks: [String] { (file?.remarks ?? []) + StoreOptions.remarks(values) + SessionOptions.remarks(values) }

  /// The value of an option, and the option's name in its source, from the first source that has it. An empty variable counts as not set.
  public subscript(_ option: ServerOption) -> (value: String, source: String)? { values[option] }

  /// The options of a server, without the catalogue (a separate file).
  public func options() throws(OptionError) -> FootbridgeOptions {
    var options = FootbridgeOptions()
    options.site = try SiteOptions(values, routes: file?.routes ?? [:])
    try options.sessions.read(values)
    if options.siteOrigin != nil, !options.sites.isEmpty, let (_, source) = self[.siteOrigin] {
      throw OptionError(
        "\(source) and \(ServerOption.site.flag) are mutually exclusive: each site has its own origin. Use one of them."
      )
    }
    options.store = try StoreOptions(values, project: project(options.site))
    options.cluster = try ClusterOptions(values)
    options.process = try ProcessOptions(values)
    if let file {
      options.bridges = file.bridges
      options.limits = file.limits
      options.app = file.app
      options.sessions.device = file.device
      options.launch = file.launch
      options.silencedRules = file.silencedRules
      options.scenarios = file.scenarios
    }
    options.scenario = try scenario()
    return options
  }

  /// The folder of the YAML file, else the root; nil without both.
  private func project(_ site: SiteOptions) -> String? {
    file.map { URL(fileURLWithPath: $0.path).deletingLastPathComponent().path } ?? site.root
  }

  private func scenario() throws(OptionError) -> String? {
    guard let (name, source) = self[.scenario] else { return nil }
    let names = file?.scenarios.keys.sorted() ?? []
    guard names.contains(name) else {
      let choice = names.isEmpty ? ", and there is none" : ": \(names.joined(separator: ", "))"
      let meant = Spelling.suggestion(for: name, in: names)
      throw OptionError("\(source) is \(name). It must be one of the file's scenarios\(choice).\(meant)")
    }
    return name
  }

  /// The beginning of an error about a path: the path's source, such as `root in footbridge.yaml: `. Empty for a flag.
  public func origin(of path: String) -> String {
    for option in ServerOption.all where option.form == .pathOfInput || option == .state {
      if let (value, source) = self[option], value == path, !source.hasPrefix("--") { return "\(source): " }
    }
    return ""
  }

  /// An error with each option named as its source has it: `allowHost in footbridge.yaml` in place of `--allow-host`.
  public func placed(_ error: String) -> String {
    error.replacing(/--[a-z][a-z-]*/) { match in
      let option = ServerOption.all.first { $0.flag == match.output }
      return option.flatMap { self[$0]?.source } ?? String(match.output)
    }
  }

  /// The file with the token of the control API; nil unless the first source that sets the token names a file.
  public func controlTokenFile() throws(OptionError) -> (path: String, source: String)? {
    try AccessOptions.controlTokenFile(values)
  }

  /// Reads the token of the control API from the content of the file that ``controlTokenFile()`` names. Ignores a line break at the end.
  public static func controlToken(inFile text: String, named name: String) throws(OptionError) -> Secret {
    try AccessOptions.controlToken(inFile: text, named: name)
  }
}

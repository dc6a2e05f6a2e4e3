import BridgeServer
package import Sessions
import SiteServer

/// The YAML file, `footbridge.yaml`. It has the options under their names in camel case (`siteOrigin` for `--site-origin`), and sections
/// for settings without a flag.
public struct OptionFile: Sendable {
  /// The file's path, for messages.
  public let path: String
  /// The values of options, in the form of their flags.
  let values: [ServerOption: String]
  /// The bridges, configured by their sections.
  let bridges: BridgeList
  /// The limits, from the `limits` section.
  let limits: FootbridgeLimits
  /// The app that the page belongs to, from the `app` section.
  let app: AppIdentity?
  /// The device of new sessions, from the `device` section; nil without one.
  let device: Device?
  /// What native sets before pages load, from the `launch` section.
  let launch: LaunchData
  /// The upstream servers for parts of the site, by path prefix (`routes`).
  let routes: [String: String]
  /// The scenarios by name.
  let scenarios: [String: Scenario]
  /// The ids of the linter's rules that are switched off, from the `lint` section.
  let silencedRules: Set<String>
  /// What other programs may read differently in the file, as sentences.
  public let remarks: [String]

  /// Reads the text of a file, which may be empty. Each of `bridges` can have a section in it.
  public init(path: String, text: String, bridges: BridgeList = BridgeList()) throws(OptionError) {
    self.path = path
    let remarks = InputRemarks()
    let root = try InputNode.yaml(text, file: path, remarks: remarks)
    var values: [ServerOption: String] = [:]
    var bridges = bridges
    var limits = FootbridgeLimits()
    var app: AppIdentity?
    var device: Device?
    var launch = LaunchData()
    var routes: [String: String] = [:]
    var scenarios: [String: InputNode] = [:]
    var lint: InputNode?
    if let root {
      let sections = Self.sections(bridges)
      let words =
        "It has these sections: \(sections.joined(separator: ", ")); and the options of footbridge serve, as siteOrigin for --site-origin"
      for (name, value) in try root.members(known: Self.keys(bridges), keys: words) {
        if let option = ServerOption.named(name) {
          values[option] = try Self.value(of: option, value)
        } else if name == "limits" {
          limits = try LimitsSection(value, &bridges).limits
        } else if name == "lint" {
          lint = value
        } else if name == "app" {
          app = try AppSection(value).app
        } else if name == "device" {
          device = try DeviceNode.changed(Device(), by: value)
        } else if name == "launch" {
          launch = try LaunchData(value)
        } else if name == "bridges" {
          for (bridge, node) in try value.members() { try bridges.declare(bridge, node) }
        } else if name == "routes" {
          let members = try value.members()
          for (prefix, node) in members { routes[prefix] = try Self.upstream(node, of: prefix) }
          // A slash at the end makes no other path.
          let paths = members.map { name, node in (name.hasSuffix("/") ? String(name.dropLast()) : name, node) }
          try InputNode.checkUnique("path", paths)
        } else if name == "scenarios" {
          for (scenario, node) in try value.members() { scenarios[scenario] = node }
        } else {
          try bridges.read(value, of: name)
        }
      }
    }
    try bridges.checkChannels()
    self.values = values
    self.bridges = bridges
    self.limits = limits
    self.app = app
    self.device = device
    self.launch = launch
    self.routes = routes
    // Read last: these refer to the configuration of bridges.
    let table = bridges.makeTable()
    silencedRules = try lint.map { node throws(OptionError) in try LintSection(node, table).silenced } ?? []
    var read: [String: Scenario] = [:]
    for (name, node) in scenarios { read[name] = try ScenarioNode(node, table).scenario }
    self.scenarios = read
    self.remarks = remarks.texts
  }

  /// The keys that the file can have.
  static func keys(_ bridges: BridgeList) -> [String] { ServerOption.all.compactMap(\.key) + sections(bridges) }

  private static func sections(_ bridges: BridgeList) -> [String] {
    (bridges.all.map(\.name) + ["app", "bridges", "device", "launch", "limits", "lint", "routes", "scenarios"]).sorted()
  }

  /// The address of the server for the paths with a prefix.
  private static func upstream(_ node: InputNode, of prefix: String) throws(OptionError) -> String {
    let address = try node.text()
    do throws(SiteError) {
      try ProxyOptions.checkRoute(from: prefix, to: address)
      return address
    } catch {
      throw OptionError("\(node.place): \(error)")
    }
  }

  /// The value of an option, in the form of its flag.
  private static func value(of option: ServerOption, _ node: InputNode) throws(OptionError) -> String {
    if option.form == .fields { return try fields(node).joined(separator: option.separator) }
    if option.isRepeatable { return try node.texts().joined(separator: option.separator) }
    return switch option.form {
    case .pathOfInput: try node.pathOfFile()
    case .flag: "\(try node.bool())"
    case .textOrOff: try node.writtenText()
    default: try node.text()
    }
  }

  /// Lines of fields. `- Cache-Control: no-store` is a mapping in YAML.
  private static func fields(_ node: InputNode) throws(OptionError) -> [String] {
    var lines: [String] = []
    for element in node.isList ? try node.elements() : [node] {
      if element.isMapping {
        for (name, value) in try element.members() {
          lines.append("\(name): \(value.isNull ? "" : try value.writtenText())")
        }
      } else {
        lines.append(try element.text())
      }
    }
    return lines
  }
}

import BridgeServer
import Sessions

/// Reads the `lint` section of the YAML file: `on` or `off` for all rules, or for each rule by its id.
struct LintSection {
  /// The ids of the rules that are switched off.
  let silenced: Set<String>

  /// - Throws: `OptionError` with the place of what is wrong.
  init(_ node: InputNode, _ table: BridgeTable) throws(OptionError) {
    guard node.isMapping else {
      silenced = try Self.isOn(node) ? [] : Set(table.knownLintRules)
      return
    }
    var silenced: Set<String> = []
    for (id, value) in try node.members() {
      let rule = try node.lintRule(id, of: table)
      if try !Self.isOn(value) { silenced.insert(rule) }
    }
    self.silenced = silenced
  }

  private static func isOn(_ node: InputNode) throws(OptionError) -> Bool {
    switch try node.writtenText() {
    case "on", "true": true
    case "off", "false": false
    default: throw node.expected("on or off")
    }
  }
}

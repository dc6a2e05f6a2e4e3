/// Reads a scenario of the YAML file: a list of rules, or a mapping with `rules` and what bridges begin with.
struct ScenarioNode {
  /// The scenario.
  private(set) var scenario = Scenario()

  /// Reads a scenario with rules about these bridges.
  init(_ node: InputNode, _ bridges: BridgeTable) throws(OptionError) {
    if node.isList {
      scenario.rules = try RuleNode.rules(node, bridges)
      return
    }
    let members = try node.section(["rules"] + bridges.beginningMembers(of: .scenario))
    if let rules = members["rules"] { scenario.rules = try RuleNode.rules(rules, bridges) }
    scenario.beginnings = try bridges.readBeginnings(members, of: .scenario)
  }
}

/// Reads a scenario of the YAML file: a list of rules, or `{rules?, account?, settings?, purchases?, transactions?}`.
struct ScenarioNode {
  /// The scenario.
  private(set) var scenario = Scenario()

  /// Reads a scenario with rules about these bridges. Its account must be among `accounts`.
  init(_ node: InputNode, _ bridges: BridgeTable, accounts: [String]) throws(OptionError) {
    if node.isList {
      scenario.rules = try RuleNode.rules(node, bridges)
      return
    }
    let members = try node.section(["rules", "account", "settings", "purchases", "transactions"])
    if let rules = members["rules"] { scenario.rules = try RuleNode.rules(rules, bridges) }
    if let account = members["account"] { scenario.account = try account.accountID(among: accounts) }
    if let settings = members["settings"] { scenario.settings = try settings.onsideSettings(withCalls: false) }
    scenario.purchases =
      try members["purchases"]?.list { node throws(OptionError) in try node.seededPurchase() } ?? []
    scenario.transactions =
      try members["transactions"]?.list { node throws(OptionError) in try node.seededTransaction() } ?? []
  }
}

/// A scenario of the YAML file: a list of rules, or `{rules, account, settings, purchases, transactions}`.
struct ScenarioNode {
  /// The scenario.
  private(set) var scenario = Scenario()

  /// Reads a scenario. An account must be one of `accounts`.
  init(_ node: YAMLNode, accounts: [String]) throws(OptionError) {
    if node.isList {
      scenario.rules = try RuleNode.rules(node)
      return
    }
    let members = try node.section(["rules", "account", "settings", "purchases", "transactions"])
    if let rules = members["rules"] { scenario.rules = try RuleNode.rules(rules) }
    if let account = members["account"] {
      let id = try account.text()
      guard accounts.contains(id) else {
        throw account.expected("the id of an account, one of: \(accounts.joined(separator: ", "))")
      }
      scenario.account = id
    }
    scenario.settings = try OnsideSettingsSection(settings: members["settings"], calls: nil)
    for node in try members["purchases"]?.elements() ?? [] { scenario.purchases.append(try SeededPurchase(node)) }
    for node in try members["transactions"]?.elements() ?? [] {
      scenario.transactions.append(try SeededTransaction(node))
    }
  }
}

/// What a session begins with so that things go a certain way.
extension Session {
  /// Begins a scenario: who is signed in and the settings are as it says, what was bought before is made, and its rules take the place of
  /// those of the one before.
  func begin(scenario name: String) throws(OptionError) {
    guard let scenario = options.wrappedValue.scenarios[name] else {
      let names = options.wrappedValue.scenarios.keys.sorted().joined(separator: ", ")
      throw OptionError(
        "There is no scenario \(name). \(names.isEmpty ? "footbridge.yaml has none" : "There are: \(names)").")
    }
    // An account may have moved since the server has started to where a product is not sold: nothing is changed then.
    if let onside {
      let signedIn = scenario.account ?? onside.account?.id
      for product in scenario.seededProducts {
        _ = try product.buyer(among: onside.accounts, signedIn: signedIn, in: options.wrappedValue.onside)
      }
    }
    profile.scenario = name
    rules.begin(scenario, name: name)
    if let account = scenario.account { signIn(account: account) }
    guard let onside else { return }
    scenario.settings.apply(to: &onside.settings)
    for purchase in scenario.purchases { _ = try purchase.make(in: self) }
    for transaction in scenario.transactions { _ = try transaction.make(in: self) }
  }

  /// Begins the scenario that sessions begin with, when the session is new; one that was there before has its rules again, which are not kept.
  func beginFirstScenario(_ name: String?, isNew: Bool) {
    if isNew {
      // The option was checked against the scenarios, and these against the store.
      if let name { try? begin(scenario: name) }
    } else if let name = profile.scenario, let scenario = options.wrappedValue.scenarios[name] {
      rules.begin(scenario, name: name)
    }
  }
}

/// What a session begins with so that things go a certain way.
extension Session {
  /// Begins a scenario: who is signed in and the settings are as it says, and its rules take the place of those of the one before.
  func begin(scenario name: String) throws(OptionError) {
    guard let scenario = options.scenarios[name] else {
      let names = options.scenarios.keys.sorted().joined(separator: ", ")
      throw OptionError(
        "There is no scenario \(name). \(names.isEmpty ? "footbridge.yaml has none" : "There are: \(names)").")
    }
    profile.scenario = name
    outcomes.begin(scenario, name: name)
    if let account = scenario.account { onside.signIn(account: account) }
    scenario.settings.apply(to: &onside.settings)
  }

  /// Begins the scenario that sessions begin with, when the session is new; one that was there before has its rules again, which are not kept.
  func beginFirstScenario(isNew: Bool) {
    if isNew, let name = options.scenario {
      // The option was checked against the scenarios.
      try? begin(scenario: name)
    } else if let name = profile.scenario, let scenario = options.scenarios[name] {
      outcomes.begin(scenario, name: name)
    }
  }
}

/// What a session begins with so that things go a certain way.
extension Session {
  /// Begins a scenario: makes what it says for each bridge, and puts its rules in the place of those of the scenario before.
  ///
  /// - Throws: `OptionError` when there is no such scenario, or something of it cannot be made. If that is known beforehand, nothing has
  ///   changed.
  package func begin(scenario name: String) throws(OptionError) {
    guard let scenario = options.scenarios[name] else {
      let names = options.scenarios.keys.sorted().joined(separator: ", ")
      throw OptionError(
        "There is no scenario \(name). \(names.isEmpty ? "footbridge.yaml has none" : "There are: \(names)").")
    }
    // A session may have changed since the server has started, so that what was possible then is not possible now.
    try check(scenario.beginnings)
    profile.scenario = name
    rules.begin(scenario, name: name)
    try begin(scenario.beginnings)
  }

  /// Checks whether what bridges are to begin with can be made. `beginnings` has the names of bridges.
  package func check(_ beginnings: [String: any BridgeBeginning]) throws(OptionError) {
    for (beginning, bridge) in joined(beginnings) { try beginning.check(in: bridge) }
  }

  /// Makes what bridges are to begin with.
  package func begin(_ beginnings: [String: any BridgeBeginning]) throws(OptionError) {
    for (beginning, bridge) in joined(beginnings) { try beginning.begin(in: bridge) }
  }

  private func joined(_ beginnings: [String: any BridgeBeginning]) -> [(any BridgeBeginning, any SessionBridge)] {
    zip(bridgeTable.definitions, bridges).compactMap { definition, bridge in
      beginnings[definition.name].map { ($0, bridge) }
    }
  }

  /// Begins the scenario that sessions begin with, when the session is new; one that was there before has its rules again, which are not kept.
  func beginFirstScenario(_ name: String?, isNew: Bool) {
    if isNew {
      // The option was checked against the scenarios, and these against the bridges.
      if let name { try? begin(scenario: name) }
    } else if let name = profile.scenario, let scenario = options.scenarios[name] {
      rules.begin(scenario, name: name)
    }
  }
}

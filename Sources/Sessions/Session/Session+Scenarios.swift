import BridgeCore

/// Scenarios: what a session begins with so that calls have a certain outcome.
extension Session {
  /// Begins a scenario: applies its settings to each bridge, and replaces the rules of an earlier scenario by its own.
  ///
  /// - Throws: `OptionError` if there is no such scenario, or if a part of it is not possible. Nothing has changed then, if this could be
  ///   known beforehand.
  package func begin(scenario name: String) throws(OptionError) {
    guard let scenario = options.scenarios[name] else {
      let names = options.scenarios.keys.sorted().joined(separator: ", ")
      throw OptionError(
        "There is no scenario \(name). \(names.isEmpty ? "footbridge.yaml has none" : "footbridge.yaml has: \(names)")."
      )
    }
    // The session may have changed since the server has started. What was possible then may not be possible now.
    try check(scenario.beginnings)
    profile.scenario = name
    rules.begin(scenario, name: name)
    try begin(scenario.beginnings)
  }

  /// Reads a rule that was kept; nil if this server cannot have it.
  func readRule(_ source: JSONValue) -> Rule? {
    do {
      return try options.readRule?(source, bridgeTable)
    } catch {
      pageLog.note("A rule is left out: \(error)")
      return nil
    }
  }

  /// Checks whether rules can have their outcomes in this session.
  ///
  /// - Throws: `OptionError` if one never can.
  package func check(_ rules: [Rule]) throws(OptionError) {
    let variants = zip(bridgeTable.definitions, bridges).map { ($0.name, $1.shimVariant) }
    for rule in rules { try bridgeTable.check(rule, variants: Dictionary(uniqueKeysWithValues: variants)) }
  }

  /// The rules of a scenario; empty if there is none of this name.
  package func rules(ofScenario name: String) -> [Rule] { options.scenarios[name]?.rules ?? [] }

  /// Checks whether bridges can begin with this. The keys are names of bridges.
  package func check(_ beginnings: [String: any BridgeBeginning]) throws(OptionError) {
    for (beginning, bridge) in joined(beginnings) { try beginning.check(in: bridge) }
  }

  /// Lets bridges begin with this.
  package func begin(_ beginnings: [String: any BridgeBeginning]) throws(OptionError) {
    for (beginning, bridge) in joined(beginnings) { try beginning.begin(in: bridge) }
  }

  private func joined(_ beginnings: [String: any BridgeBeginning]) -> [(any BridgeBeginning, any SessionBridge)] {
    zip(bridgeTable.definitions, bridges).compactMap { definition, bridge in
      beginnings[definition.name].map { ($0, bridge) }
    }
  }

  /// Begins the default scenario in a new session. A session that was stored only gets the rules again, unless they were kept.
  func beginFirstScenario(_ name: String?, isNew: Bool) {
    if isNew {
      // The option was checked against the scenarios, and the scenarios against the bridges.
      if let name { try? begin(scenario: name) }
    } else if profile.rules == nil, let name = profile.scenario, let scenario = options.scenarios[name] {
      rules.begin(scenario, name: name)
    }
  }
}

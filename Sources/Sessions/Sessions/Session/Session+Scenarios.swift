import BridgeCore

/// Scenarios: named settings and rules with which a session begins.
extension Session {
  /// Begins a scenario: applies its settings to each bridge, and replaces the rules of an earlier scenario by its own.
  ///
  /// - Throws: `OptionError` if there is no such scenario, or if a part of it is not possible. If this can be known in advance, nothing is
  ///   changed.
  package func begin(scenario name: String) throws(OptionError) {
    guard let scenario = options.scenarios[name] else {
      let names = options.scenarios.keys.sorted().joined(separator: ", ")
      throw OptionError(
        "There is no scenario \(name). \(names.isEmpty ? "footbridge.yaml has none" : "footbridge.yaml has: \(names)")."
      )
    }
    // The scenario was checked when the server started. The session may have changed since.
    try check(scenario.beginnings)
    profile.scenario = name
    rules.begin(scenario.rules, ofScenario: name)
    try begin(scenario.beginnings)
  }

  /// Checks whether bridges can begin with these states, by the names of the bridges.
  ///
  /// - Throws: `OptionError` if one cannot.
  package func check(_ beginnings: [String: any BridgeBeginning]) throws(OptionError) {
    for (beginning, bridge) in joined(beginnings) { try beginning.check(in: bridge) }
  }

  /// Makes bridges begin with these states, by the names of the bridges.
  package func begin(_ beginnings: [String: any BridgeBeginning]) throws(OptionError) {
    for (beginning, bridge) in joined(beginnings) { try beginning.begin(in: bridge) }
  }

  private func joined(_ beginnings: [String: any BridgeBeginning]) -> [(any BridgeBeginning, any SessionBridge)] {
    zip(bridgeTable.definitions, bridges).compactMap { definition, bridge in
      beginnings[definition.name].map { ($0, bridge) }
    }
  }

  /// Begins the default scenario in a new session. A stored session only gets the rules of its scenario again, unless they were stored.
  func beginFirstScenario(_ name: String?, isNew: Bool) {
    if isNew {
      // The option was checked against the scenarios, and the scenarios against the bridges.
      if let name { try? begin(scenario: name) }
    } else if profile.rules == nil, let name = profile.scenario, let scenario = options.scenarios[name] {
      rules.begin(scenario.rules, ofScenario: name)
    }
  }
}

/// A named start for sessions: rules, and states of bridges.
public struct Scenario: Sendable {
  /// The rules. The first one that matches a call decides it.
  public var rules: [Rule] = []
  /// The initial states of bridges, by the bridges' names.
  public var beginnings: [String: any BridgeBeginning] = [:]

  /// Creates a scenario. By default, it changes nothing.
  public init(rules: [Rule] = [], beginnings: [String: any BridgeBeginning] = [:]) {
    self.rules = rules
    self.beginnings = beginnings
  }
}

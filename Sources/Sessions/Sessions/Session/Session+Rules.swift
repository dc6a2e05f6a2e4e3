import BridgeCore

/// The rules of a session.
extension Session {
  /// Reads a stored rule. Logs an error and returns nil if this server cannot read it.
  func readRule(_ source: JSONValue) -> Rule? {
    do {
      return try options.readRule?(source, bridgeTable)
    } catch {
      pageLog.note("A stored rule is left out: \(error)")
      return nil
    }
  }

  /// Checks whether rules are possible in this session.
  ///
  /// - Throws: `OptionError` if a rule can never have its outcome.
  package func check(_ rules: [Rule]) throws(OptionError) {
    let variants = zip(bridgeTable.definitions, bridges).map { ($0.name, $1.shimVariant) }
    for rule in rules { try bridgeTable.check(rule, variants: Dictionary(uniqueKeysWithValues: variants)) }
  }

  /// Returns the rules of a scenario; empty if there is no such scenario.
  package func rules(ofScenario name: String) -> [Rule] { options.scenarios[name]?.rules ?? [] }
}

import BridgeServer
public import Sessions

extension FootbridgeOptions {
  /// Checks the initial states of scenarios against the configuration of the bridges. Also checks the rules of the default scenario.
  ///
  /// - Throws: `OptionError` with the place of what is never possible.
  public func checkScenarios() throws(OptionError) {
    for (_, scenario) in sessions.scenarios.sorted(by: { $0.key < $1.key }) {
      for case let bridge as any ConfigurableBridge in bridges.all {
        if let beginning = scenario.beginnings[bridge.name] { try bridge.initialStates.check(beginning) }
      }
    }
    guard let name = sessions.scenario, let rules = sessions.scenarios[name]?.rules else { return }
    let table = bridges.makeTable()
    do throws(OptionError) {
      for rule in rules { try table.check(rule) }
    } catch {
      throw OptionError("scenarios.\(name): \(error.description)")
    }
  }
}

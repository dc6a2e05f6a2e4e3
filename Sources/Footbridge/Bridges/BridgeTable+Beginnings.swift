/// The initial states of sessions, as files and bodies have them.
extension BridgeTable {
  private var configurable: [any ConfigurableBridge] {
    (definitions + definitionsOff).compactMap { $0 as? any ConfigurableBridge }
  }

  /// The members of bridges in scenarios or bodies.
  func beginningMembers(of place: BeginningPlace) -> [String] {
    configurable.flatMap { $0.beginningMembers(of: place) }
  }

  /// Reads the members of bridges: their initial states, by the bridges' names.
  ///
  /// - Throws: `OptionError` with the place of what is wrong, or belongs to a bridge that is switched off.
  func readBeginnings(
    _ members: [String: InputNode], of place: BeginningPlace
  ) throws(OptionError) -> [String: any BridgeBeginning] {
    var beginnings: [String: any BridgeBeginning] = [:]
    for bridge in configurable {
      let names = bridge.beginningMembers(of: place)
      let own = members.filter { names.contains($0.key) }
      guard let first = own.min(by: { $0.key < $1.key })?.value else { continue }
      guard bridge.isEnabled else {
        throw first.expected("left out: the bridge \(bridge.name) is switched off")
      }
      beginnings[bridge.name] = try bridge.readBeginning(own, of: place)
    }
    return beginnings
  }
}

extension FootbridgeOptions {
  /// Checks the initial states of scenarios against the configuration of the bridges.
  ///
  /// - Throws: `OptionError` with the place of what is never possible.
  public func checkScenarios() throws(OptionError) {
    for (_, scenario) in scenarios.sorted(by: { $0.key < $1.key }) {
      for case let bridge as any ConfigurableBridge in bridges.all {
        if let beginning = scenario.beginnings[bridge.name] { try bridge.check(beginning) }
      }
    }
  }
}

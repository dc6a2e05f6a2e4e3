import BridgeCore
package import Sessions

/// Reads a rule of the YAML file or the control API: `{id?, on, where?, times?, then}`.
package struct RuleNode {
  /// The rule.
  package let rule: Rule

  /// Reads a rule about an action of one of these bridges.
  package init(_ node: InputNode, _ bridges: BridgeTable) throws(OptionError) {
    let members = try node.section(["id", "on", "bridge", "where", "times", "then"])
    guard let on = members["on"], let then = members["then"] else { throw node.expected("a rule, with on and then") }
    let name = try on.text()
    if let bridge = bridges.bridgeOff(of: name) {
      throw on.expected("an action of a bridge that is switched on: \(bridge).enabled is false")
    }
    let outcome: Outcome
    if name == RuleAction.siteRequest {
      outcome = try SiteRequestNode(members, then: then).outcome
    } else {
      guard let (action, bridge) = bridges.ruleAction(name) else { throw on.expected(bridges.ruleActions) }
      try Self.check(name, on, members["bridge"], is: bridge, bridges)
      if let pattern = members["where"] { try Self.check(pattern, of: action, bridge) }
      outcome = try Self.outcome(then, of: action, bridge)
    }
    rule = Rule(
      id: try members["id"].map { node throws(OptionError) in try Self.name(node, "a name") },
      on: name,
      pattern: try members["where"].map { node throws(OptionError) in try node.pattern() } ?? .anyObject,
      times: try members["times"].map { node throws(OptionError) in try node.times() } ?? .once,
      outcome: outcome,
      source: try node.withoutRemarks().json()
    )
  }

  /// Refuses a name that looks like a misspelled action of another bridge. This is for bridges whose pages can use any action name. The
  /// member `bridge` confirms that the name is meant.
  private static func check(
    _ name: String, _ on: InputNode, _ wanted: InputNode?, is bridge: any BridgeDefinition, _ bridges: BridgeTable
  ) throws(OptionError) {
    if let wanted {
      guard try wanted.text() == bridge.name else { throw wanted.expected("\(bridge.name), whose action \(name) is") }
    } else if !bridge.messages.contains(.madeByShim), let meant = bridges.meantRuleAction(by: name) {
      throw on.expected("\(meant), or used with bridge: \(bridge.name) for an action \(name) of your own pages")
    }
  }

  /// Refuses a pattern that the data of this action never matches.
  private static func check(
    _ pattern: InputNode, of action: RuleAction, _ bridge: any BridgeDefinition
  ) throws(OptionError) {
    guard let shape = bridge.rules.shape(action), case .object(let members) = shape else { return }
    let known = members.keys.map(JSONShape.name).sorted()
    for (name, member) in try pattern.members() where !known.contains(name) {
      if let list = known.first(where: { $0 == name + "s" }) {
        throw member.expected("written as \(list): { $contains: … }, since \(action.name) has a list")
      }
      throw member.expected(
        known.isEmpty
          ? "left out: \(action.name) has no data"
          : "one of the members of \(action.name): \(known.joined(separator: ", "))")
    }
    try shape.check(pattern: pattern)
  }

  /// Reads a list of rules with different names.
  package static func rules(_ node: InputNode, _ bridges: BridgeTable) throws(OptionError) -> [Rule] {
    let elements = try node.elements()
    var rules: [Rule] = []
    for element in elements { rules.append(try RuleNode(element, bridges).rule) }
    try InputNode.checkUnique("id", zip(rules, elements).compactMap { rule, element in rule.id.map { ($0, element) } })
    guard rules.count <= RuleList.limit else {
      throw node.expected("a list of at most \(RuleList.limit) rules")
    }
    return rules
  }

  /// Reads a name that needs no escaping in a path.
  private static func name(_ node: InputNode, _ what: String) throws(OptionError) -> String {
    let text = try node.text()
    guard (1...64).contains(text.utf8.count), text.utf8.allSatisfy(isNameByte) else {
      throw node.expected("\(what) of at most 64 letters, digits, dots, dashes and underscores")
    }
    return text
  }

  /// Reads the name of a gate.
  static func gate(_ node: InputNode) throws(OptionError) -> String { try name(node, "the name of a gate,") }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
    default: false
    }
  }

  private static func outcome(
    _ node: InputNode, of action: RuleAction, _ bridge: any BridgeDefinition
  ) throws(OptionError) -> Outcome {
    let members = try node.section(
      ["result", "status", "error", "delay", "gate", "cutSocket", "kill"] + DeliveryNode.words)
    var outcome = Outcome()
    outcome.answer = try RuleAnswerNode(members, in: node).answer(to: action, of: bridge)
    if let delay = members["delay"] { (outcome.delay, outcome.longestDelay) = try delay.delayOrRange() }
    outcome.gate = try members["gate"].map { node throws(OptionError) in try gate(node) }
    outcome.cutsSocket = try members["cutSocket"]?.bool() ?? false
    if outcome.cutsSocket, action.kind == .flow || action.kind == .sheet, let member = members["cutSocket"] {
      throw member.expected("left out: only calls, callbacks and requests have a socket")
    }
    outcome.delivery = try DeliveryNode(members, of: action, bridge).delivery
    outcome.killsApp = try members["kill"]?.bool() ?? false
    if outcome.killsApp, let member = members["kill"] { try check(kill: member, of: action, outcome) }
    if outcome == Outcome() {
      throw node.expected(
        "at least one of: result, status, error, delay, gate, cutSocket, kill, "
          + DeliveryNode.words.joined(separator: ", "))
    }
    return outcome
  }

  private static func check(
    kill member: InputNode, of action: RuleAction, _ outcome: Outcome
  ) throws(OptionError) {
    if action.kind == .backendRequest { throw member.expected("left out: a backend does not end with the app") }
    if outcome.answer != nil || outcome.delivery != nil {
      throw member.expected("left out, or else the only thing that happens, with at most a delay and a gate before it")
    }
  }
}

/// Reads a scenario of the YAML file: a list of rules, or a mapping with `rules` and the initial states of bridges.
package struct ScenarioNode {
  /// The scenario.
  package private(set) var scenario = Scenario()

  /// Reads a scenario with rules about these bridges.
  package init(_ node: InputNode, _ bridges: BridgeTable) throws(OptionError) {
    if node.isList {
      scenario.rules = try RuleNode.rules(node, bridges)
      return
    }
    let members = try node.section(["rules"] + bridges.beginningMembers(of: .scenario))
    if let rules = members["rules"] { scenario.rules = try RuleNode.rules(rules, bridges) }
    scenario.beginnings = try bridges.readBeginnings(members, of: .scenario)
  }
}

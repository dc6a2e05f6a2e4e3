package import BridgeCore

/// The rules of a session, oldest first. The first active rule that matches a call decides it.
///
/// A rule with numbers, such as one for the third call, counts all calls that match it, even if another rule decides them. If another rule
/// decides the third call, this rule decides none.
package struct RuleList {
  /// An active rule.
  package struct Entry: Sendable, Hashable {
    /// The rule's id, unique among active rules.
    package let id: String
    /// The rule.
    let rule: Rule
    /// The scenario that has added the rule; nil if a test has added it.
    let scenario: String?
    /// The number of calls so far that match the rule.
    fileprivate(set) var matchCount = 0
    /// The number of calls that the rule has decided.
    fileprivate(set) var decisionCount = 0
    /// The rule's size.
    let size: RuleSize.Item

    init(
      id: String, rule: Rule, scenario: String?, size: RuleSize.Item, matchCount: Int = 0, decisionCount: Int = 0
    ) {
      self.id = id
      self.rule = rule
      self.scenario = scenario
      self.matchCount = matchCount
      self.decisionCount = decisionCount
      self.size = size
    }
  }

  /// The decision of a rule.
  struct Decision: Sendable, Hashable {
    /// The rule's id.
    let id: String
    /// The rule's size.
    let size: RuleSize.Item
    /// The rule.
    let rule: Rule
    /// The outcome of this call.
    let outcome: Outcome
    /// The delay that was drawn, if the rule has a range of delays.
    let drawnDelay: Duration?
  }

  /// The maximum number of active rules.
  package static let limit = 1000
  /// The maximum size of active rules together, as JSON. One result may have 16 MiB.
  package static let byteLimit = 64 << 20

  /// The active rules, oldest first.
  package private(set) var entries: [Entry] = []
  private var ruleCount = 0
  /// The number of the newest rule. Each new or restored one has another.
  private(set) var lastNumber = 0

  init() {}

  /// Whether there are no rules.
  var isEmpty: Bool { entries.isEmpty }

  /// Whether an active rule has a gate of this name.
  func hasGate(_ name: String) -> Bool { entries.contains { $0.rule.outcome.gate == name } }

  /// Restores stored rules. Leaves out a rule that this version cannot read.
  init(_ stored: StoredRules, after former: RuleList = RuleList(), read: (JSONValue) -> Rule?) {
    ruleCount = stored.ruleCount
    lastNumber = former.lastNumber
    for entry in stored.entries {
      guard let rule = read(entry.source) else { continue }
      lastNumber += 1
      entries.append(
        Entry(
          id: entry.id, rule: rule, scenario: entry.scenario,
          size: RuleSize.Item(number: lastNumber, byteCount: Self.byteCount(of: rule)),
          matchCount: entry.matchCount, decisionCount: entry.decisionCount))
    }
  }

  /// Writes the rules into `stored`.
  func store(in stored: inout StoredRules) {
    stored.ruleCount = ruleCount
    stored.entries = entries.map {
      StoredRules.Entry(
        id: $0.id, source: $0.rule.source, scenario: $0.scenario, matchCount: $0.matchCount,
        decisionCount: $0.decisionCount)
    }
  }

  /// Whether there is room for one more rule.
  func hasRoom(for rule: Rule) -> Bool { hasRoom(forBytes: Self.byteCount(of: rule)) }

  private func hasRoom(forBytes count: Int) -> Bool {
    entries.count < Self.limit && entries.reduce(0) { $0 + $1.size.byteCount } + count <= Self.byteLimit
  }

  /// The size of a rule as JSON, which may be that of a photo.
  static func byteCount(of rule: Rule) -> Int { rule.source.jsonText.utf8.count }

  /// Adds a rule. Returns its id; nil if another active rule has that id, or if there is no room for it.
  mutating func add(_ rule: Rule, scenario: String? = nil) -> String? {
    let byteCount = Self.byteCount(of: rule)
    guard hasRoom(forBytes: byteCount) else { return nil }
    var id = rule.id
    while id == nil {
      ruleCount += 1
      let name = "rule-\(ruleCount)"
      if !entries.contains(where: { $0.id == name }) { id = name }
    }
    guard let id, !entries.contains(where: { $0.id == id }) else { return nil }
    lastNumber += 1
    let size = RuleSize.Item(number: lastNumber, byteCount: byteCount)
    entries.append(Entry(id: id, rule: rule, scenario: scenario, size: size))
    return id
  }

  /// Removes a rule. Returns false if there is none with this id.
  mutating func remove(_ id: String) -> Bool {
    let count = entries.count
    entries.removeAll { $0.id == id }
    return entries.count < count
  }

  /// Removes all rules, or with `ofScenarios` only those that a scenario has added.
  mutating func removeAll(ofScenarios: Bool = false) {
    entries.removeAll { !ofScenarios || $0.scenario != nil }
  }

  /// Decides a call. Returns nil if no rule decides it, so that the host does. `draw` returns a random number in 0..<1.
  mutating func decide(_ call: RuledCall, draw: () -> Double = { 0 }) -> Decision? {
    var decision: Decision?
    var data: JSONValue?
    for index in entries.indices {
      let rule = entries[index].rule
      guard call.names.contains(rule.on) else { continue }
      if !rule.pattern.members.isEmpty {
        let known = data ?? call.data()
        data = known
        guard rule.pattern.matches(known) else { continue }
      }
      if decision != nil, !rule.times.counts { continue }
      entries[index].matchCount += 1
      if decision == nil, rule.times.includes(entries[index].matchCount),
        rule.times.probability == 1 || draw() < rule.times.probability
      {
        entries[index].decisionCount += 1
        let drawnDelay = rule.outcome.drawDelay(draw)
        let outcome = drawnDelay.map(rule.outcome.delayed) ?? rule.outcome
        decision = Decision(
          id: entries[index].id, size: entries[index].size, rule: rule, outcome: outcome, drawnDelay: drawnDelay)
      }
    }
    entries.removeAll { $0.rule.times.isOver(after: $0.matchCount) }
    return decision
  }
}

extension RuleList.Entry {
  /// The rule as it was written, with its id, `times`, its scenario, and the numbers of calls that it has matched and decided.
  package var json: JSONValue {
    var members = rule.source.objectValue ?? [:]
    members["id"] = .string(id)
    members["times"] = members["times"] ?? "once"
    members["matches"] = .number(Double(matchCount))
    members["decisions"] = .number(Double(decisionCount))
    if let scenario { members["scenario"] = .string(scenario) }
    return .object(members)
  }
}

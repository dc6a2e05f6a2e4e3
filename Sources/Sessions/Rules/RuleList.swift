import BridgeCore

/// The rules of a session. The first living one that matches a call wins, in the order in which they came.
///
/// A rule for the n-th call counts every call that matches it, whichever rule had that one; when its call comes and an earlier rule has it,
/// its turn is over all the same.
package struct RuleList {
  /// A rule that is alive.
  package struct Entry: Sendable, Hashable {
    /// The rule's name, unique among the living.
    package let id: String
    /// The rule.
    let rule: Rule
    /// The scenario that brought it.
    let scenario: String?
    /// How many calls have matched.
    fileprivate(set) var matchCount = 0
  }

  /// What a rule has decided.
  struct Decision: Sendable, Hashable {
    /// The rule's name.
    let id: String
    /// The rule.
    let rule: Rule
  }

  /// How many rules may live at once.
  package static let limit = 1000

  /// The living rules, oldest first.
  package private(set) var entries: [Entry] = []
  private var ruleCount = 0

  /// Whether there is none.
  var isEmpty: Bool { entries.isEmpty }

  /// Whether a living rule has a gate of this name.
  func hasGate(_ name: String) -> Bool { entries.contains { $0.rule.outcome.gate == name } }

  /// Adds a rule and returns its name; nil when a living one has the name, or when there are too many.
  mutating func add(_ rule: Rule, scenario: String? = nil) -> String? {
    guard entries.count < Self.limit else { return nil }
    var id = rule.id
    while id == nil {
      ruleCount += 1
      let name = "rule-\(ruleCount)"
      if !entries.contains(where: { $0.id == name }) { id = name }
    }
    guard let id, !entries.contains(where: { $0.id == id }) else { return nil }
    entries.append(Entry(id: id, rule: rule, scenario: scenario))
    return id
  }

  /// Takes a rule away. False when there is none of this name.
  mutating func remove(_ id: String) -> Bool {
    let count = entries.count
    entries.removeAll { $0.id == id }
    return entries.count < count
  }

  /// Takes all rules away; with `scenario`, those that a scenario brought.
  mutating func removeAll(ofScenarios: Bool = false) {
    entries.removeAll { !ofScenarios || $0.scenario != nil }
  }

  /// What is decided for a call; nil when the host does what it does.
  mutating func decide(_ call: RuledCall) -> Decision? {
    var decision: Decision?
    var data: JSONValue?
    for index in entries.indices {
      let rule = entries[index].rule
      guard call.names.contains(rule.on) else { continue }
      if !rule.pattern.isEmpty {
        let known = data ?? call.data()
        data = known
        guard JSONPattern(.object(rule.pattern)).matches(known) else { continue }
      }
      if decision != nil, !rule.times.counts { continue }
      entries[index].matchCount += 1
      if decision == nil, rule.times.includes(entries[index].matchCount) {
        decision = Decision(id: entries[index].id, rule: rule)
      }
    }
    entries.removeAll { $0.rule.times.isOver(after: $0.matchCount) }
    return decision
  }
}

extension Rule.Times {
  /// Whether calls that another rule has count, too.
  fileprivate var counts: Bool {
    if case .nth = self { true } else { false }
  }

  /// Whether the call of this number is meant.
  fileprivate func includes(_ number: Int) -> Bool {
    switch self {
    case .once: number == 1
    case .always: true
    case .nth(let nth): number == nth
    }
  }

  /// Whether no further call can be meant.
  fileprivate func isOver(after count: Int) -> Bool {
    switch self {
    case .once: count >= 1
    case .always: false
    case .nth(let nth): count >= nth
    }
  }
}

import BridgeCore
import BridgeRuntime

/// What servers that share a store keep of a session's rules and gates, so that the next server of the session continues with them.
package struct KeptRules: Sendable, Hashable, Codable {
  /// An active rule.
  struct Entry: Sendable, Hashable, Codable {
    let id: String
    /// The rule as it was written.
    let source: JSONValue
    let scenario: String?
    let matchCount: Int
    let decisionCount: Int
  }

  /// An outcome that waits. The next server decides the same when it is asked the same again.
  struct Decision: Sendable, Hashable, Codable {
    /// The id of the rule, which may be over.
    let ruleID: String
    /// The index of the rule in ``KeptRules/deciding``.
    let rule: Int
    let subject: Subject
    /// The end of the delay, on the session's clock.
    let end: Double
    /// Whether its gate was opened for it.
    let isPast: Bool
  }

  /// What was decided about.
  struct Subject: Sendable, Hashable, Codable {
    let action: String
    /// The page, as it calls itself; nil for what no page has called.
    let page: String?
    /// The call's correlation id; nil for what the server sends, which has another one in the next launch.
    let correlationID: String?
  }

  /// The active rules, oldest first.
  var entries: [Entry] = []
  /// How many rules the session has named.
  var ruleCount = 0
  /// How many may pass each gate that was opened in advance.
  var openings: [String: Int] = [:]
  /// What waits, in the order of the decisions.
  var decisions: [Decision] = []
  /// The rules that have decided it, as they were written.
  var deciding: [JSONValue] = []

  /// Whether a test has set one of the rules, so that its session does not end with its pages.
  var areSetByTests: Bool { entries.contains { $0.scenario == nil } }
}

/// What a session has decided and what still waits: of this server, and of the one before.
struct WaitingDecisions {
  /// An outcome that waits.
  struct Waiting {
    let ruleID: String
    let rule: Rule
    let subject: KeptRules.Subject
    let end: BridgeInstant
    var isPast = false
  }

  /// The maximum number that is kept.
  private static let limit = 1000

  private var present: [Int: Waiting] = [:]
  /// What waited at the server before, and was not asked again yet.
  private var former: [Waiting] = []
  private var lastNumber = 0

  /// Whether nothing of the server before waits.
  var hasNoFormer: Bool { former.isEmpty }

  /// Something waits from now on. Returns its number; nil if too much waits.
  mutating func add(_ waiting: Waiting) -> Int? {
    guard present.count < Self.limit else { return nil }
    lastNumber += 1
    present[lastNumber] = waiting
    return lastNumber
  }

  /// A gate was opened for it.
  mutating func pass(_ number: Int) { present[number]?.isPast = true }

  /// It waits no more. Returns false if it did not.
  mutating func remove(_ number: Int) -> Bool { present.removeValue(forKey: number) != nil }

  /// What the server before has decided about the same, if it still waits.
  mutating func takeFormer(_ subject: KeptRules.Subject) -> Waiting? {
    former.firstIndex { $0.subject == subject }.map { former.remove(at: $0) }
  }

  /// A page has ended, and makes no call again. Returns whether one of its calls waited.
  mutating func forgetFormer(page: String) -> Bool {
    let count = former.count
    former.removeAll { $0.subject.page == page }
    return former.count < count
  }

  /// Writes what waits.
  func keep(in kept: inout KeptRules) {
    for waiting in former + present.sorted(by: { $0.key < $1.key }).map(\.value) {
      let source = waiting.rule.source
      let index = kept.deciding.firstIndex(of: source) ?? kept.deciding.count
      if index == kept.deciding.count { kept.deciding.append(source) }
      kept.decisions.append(
        KeptRules.Decision(
          ruleID: waiting.ruleID, rule: index, subject: waiting.subject, end: waiting.end.millisecondsSinceEpoch,
          isPast: waiting.isPast))
    }
  }

  /// Continues with what waited at the server before. A rule that this version cannot read is left out.
  mutating func restore(_ kept: KeptRules, read: (JSONValue) -> Rule?) {
    let rules = kept.deciding.map(read)
    former = kept.decisions.compactMap { decision in
      guard rules.indices.contains(decision.rule), let rule = rules[decision.rule] else { return nil }
      return Waiting(
        ruleID: decision.ruleID, rule: rule, subject: decision.subject,
        end: BridgeInstant(millisecondsSinceEpoch: decision.end), isPast: decision.isPast)
    }
  }
}

import BridgeCore
import BridgeRuntime

/// The stored rules and gates of a session. If several servers share a store, the next server of the session continues with them.
package struct StoredRules: Sendable, Hashable, Codable {
  /// An active rule.
  struct Entry: Sendable, Hashable, Codable {
    let id: String
    /// The rule as it was written.
    let source: JSONValue
    let scenario: String?
    let matchCount: Int
    let decisionCount: Int
  }

  /// A decision whose call still waits. When the call comes again at the next server, that server decides the same.
  struct Decision: Sendable, Hashable, Codable {
    /// The id of the rule. The rule may no longer be active.
    let ruleID: String
    /// The index of the rule in ``StoredRules/deciding``.
    let rule: Int
    let subject: Subject
    /// The end of the delay, on the session's clock.
    let end: Double
    /// Whether the call has passed its gate.
    let isPast: Bool
  }

  /// The call, flow or sheet of a decision.
  struct Subject: Sendable, Hashable, Codable {
    let action: String
    /// The page's own id, from its shim; nil if it is not a call of a page.
    let page: String?
    /// The call's correlation id; nil for a message of the server, which has another one in each launch.
    let correlationID: String?
  }

  /// The active rules, oldest first.
  var entries: [Entry] = []
  /// The number of ids that the session has given to rules.
  var ruleCount = 0
  /// The number of arrivals that may pass each gate, for gates that were opened in advance.
  var openings: [String: Int] = [:]
  /// The decisions whose calls wait, oldest first.
  var decisions: [Decision] = []
  /// The rules that have made these decisions, as they were written.
  var deciding: [JSONValue] = []

  /// Whether a test has set one of the rules. The session then does not end with its pages.
  var areSetByTests: Bool { entries.contains { $0.scenario == nil } }
}

/// The decisions whose calls still wait: those of this server, and those of the session's previous server.
struct WaitingDecisions {
  /// A decision whose call waits.
  struct Waiting {
    let ruleID: String
    let rule: Rule
    let subject: StoredRules.Subject
    let end: BridgeInstant
    var isPast = false
  }

  /// The maximum number of decisions that are stored.
  private static let limit = 1000

  private var present: [Int: Waiting] = [:]
  /// The decisions of the previous server whose calls have not come again yet.
  private var former: [Waiting] = []
  private var lastNumber = 0

  /// Whether there are no decisions of the previous server.
  var hasNoFormer: Bool { former.isEmpty }

  /// Adds a decision. Returns its number; nil if there are too many.
  mutating func add(_ waiting: Waiting) -> Int? {
    guard present.count < Self.limit else { return nil }
    lastNumber += 1
    present[lastNumber] = waiting
    return lastNumber
  }

  /// Notes that the call has passed its gate.
  mutating func pass(_ number: Int) { present[number]?.isPast = true }

  /// Removes a decision whose call no longer waits. Returns false if there is none with this number.
  mutating func remove(_ number: Int) -> Bool { present.removeValue(forKey: number) != nil }

  /// Removes and returns the decision of the previous server about the same call; nil if there is none.
  mutating func takeFormer(_ subject: StoredRules.Subject) -> Waiting? {
    former.firstIndex { $0.subject == subject }.map { former.remove(at: $0) }
  }

  /// Removes the decisions of the previous server about an ended page, which cannot repeat its calls. Returns whether there were any.
  mutating func forgetFormer(page: String) -> Bool {
    let count = former.count
    former.removeAll { $0.subject.page == page }
    return former.count < count
  }

  /// Writes all decisions.
  func store(in stored: inout StoredRules) {
    for waiting in former + present.sorted(by: { $0.key < $1.key }).map(\.value) {
      let source = waiting.rule.source
      let index = stored.deciding.firstIndex(of: source) ?? stored.deciding.count
      if index == stored.deciding.count { stored.deciding.append(source) }
      stored.decisions.append(
        StoredRules.Decision(
          ruleID: waiting.ruleID, rule: index, subject: waiting.subject, end: waiting.end.millisecondsSinceEpoch,
          isPast: waiting.isPast))
    }
  }

  /// Restores the decisions of the previous server. Leaves out a rule that this version cannot read.
  mutating func restore(_ stored: StoredRules, read: (JSONValue) -> Rule?) {
    let rules = stored.deciding.map(read)
    former = stored.decisions.compactMap { decision in
      guard rules.indices.contains(decision.rule), let rule = rules[decision.rule] else { return nil }
      return Waiting(
        ruleID: decision.ruleID, rule: rule, subject: decision.subject,
        end: BridgeInstant(millisecondsSinceEpoch: decision.end), isPast: decision.isPast)
    }
  }
}

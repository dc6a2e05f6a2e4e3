import BridgeCore
import BridgeRuntime
import Testing

@testable import Delivery
@testable import Sessions

@Suite @BridgeActor struct RuleSizeTests {
  private let server = SessionSpace(byteLimit: 200_000)
  private let clock = ManualBridgeClock()

  private func rules() -> (rules: SessionRules, space: SharedBytes) {
    let space = SessionSpace(callByteLimit: 1, of: server).settings
    return (SessionRules(clock: clock, space: space), space)
  }

  private func rule(_ byteCount: Int, _ times: Rule.Times = .always) -> Rule {
    Rule(
      id: nil, on: "a", pattern: .anyObject, times: times, outcome: Outcome(gate: "g"),
      source: .string(String(repeating: "a", count: byteCount)))
  }

  private func decide(_ rules: SessionRules) -> RuleDecision? {
    rules.decide(RuledCall("a", data: .object([:])), about: SessionRules.Subject(action: "a"))
  }

  @Test func `the rules of all sessions have a limit, and each session has a share beyond it`() {
    var sessions: [(rules: SessionRules, space: SharedBytes)] = []
    for _ in 0..<10 {
      sessions.append(rules())
      while sessions.last?.rules.add(rule(8000)) != nil {}
    }
    #expect(sessions.map(\.space.count).max() ?? 0 <= 100_000)
    #expect(sessions.allSatisfy { (50_000...100_000).contains($0.space.count) })
    #expect(sessions[9].rules.objection(toAdding: rule(8000)).contains("of all sessions"))
    sessions[0].rules.removeAllRules()
    #expect(sessions[0].space.count == 0)
    #expect(sessions[0].rules.add(rule(8000)) != nil)
  }

  @Test func `a rule counts until no call waits as it says`() async {
    let (rules, space) = rules()
    _ = rules.add(rule(10_000, .once))
    let count = space.count
    #expect(count > 10_000)
    var decision = decide(rules)
    #expect(rules.list.isEmpty)
    #expect(space.count == count)
    #expect(decision?.outcome.gate == "g")
    decision = nil
    while space.count > 0 { await Task.yield() }
  }

  @Test func `a release in advance counts until a call has passed`() async {
    let (rules, space) = rules()
    _ = rules.add(rule(1))
    let count = space.count
    #expect(rules.openGate("g") == .opened(0))
    #expect(space.count > count)
    if let decision = decide(rules) { await rules.hold(decision) }
    while space.count > count { await Task.yield() }
  }

  @Test func `without space, no gate is released in advance`() {
    let (first, _) = rules()
    let (rules, space) = rules()
    _ = rules.add(rule(1))
    space.change(by: 100_000)
    _ = first.add(rule(1))
    #expect(rules.openGate("g") == .full)
    space.change(by: -100_000)
    #expect(rules.openGate("g") == .opened(0))
  }

  @Test func `after a rollback, the rules count that are there again`() {
    let (former, formerSpace) = rules()
    _ = former.add(rule(100))
    let (rules, space) = rules()
    _ = rules.add(rule(10_000))
    var list = RuleList()
    _ = list.add(rule(100))
    var stored = StoredRules()
    list.store(in: &stored)
    rules.rollBack(to: stored) { _ in rule(100) }
    #expect(space.count == formerSpace.count)
  }

  @Test func `a session that has ended takes nothing`() {
    let (rules, space) = rules()
    _ = rules.add(rule(10_000, .once))
    let decision = decide(rules)
    _ = rules.add(rule(10_000))
    _ = rules.openGate("g")
    rules.end()
    #expect(space.count == 0)
    #expect(decision != nil)
  }
}

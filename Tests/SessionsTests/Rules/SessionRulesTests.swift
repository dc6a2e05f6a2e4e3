import BridgeCore
import BridgeRuntime
import OnsideKit
import Testing

@testable import OnsideServer
@testable import Sessions

@Suite @BridgeActor struct SessionRulesTests {
  private let clock = ManualBridgeClock()
  private let rules: SessionRules
  private let subject = SessionRules.Subject(action: "a", pageID: "page", correlationID: "c")

  init() {
    rules = SessionRules(clock: clock)
  }

  private func add(_ on: String, _ outcome: Outcome) {
    _ = rules.add(Rule(id: nil, on: on, pattern: .anyObject, times: .always, outcome: outcome, source: .null))
  }

  /// Waits until as many sleep on the clock.
  private func sleepers(_ count: Int) async {
    while clock.sleeperCount < count { await Task.yield() }
  }

  /// Waits until as many wait at gates.
  private func holds(_ count: Int) async {
    while rules.holds.count < count { await Task.yield() }
  }

  @Test func `an outcome without delay and gate is applied at once`() {
    var happened = false
    rules.afterHold(rules.decided(Outcome(cutsSocket: true), about: subject)) { happened = true }
    #expect(happened)
  }

  @Test func `the delay comes before the gate`() async {
    await confirmation { done in
      let end = AsyncStream.makeStream(of: Void.self)
      rules.afterHold(rules.decided(Outcome(delay: .seconds(1), gate: "g"), about: subject)) {
        done()
        end.continuation.finish()
      }
      await sleepers(1)
      #expect(rules.holds.isEmpty)
      clock.advance(by: .seconds(1))
      await holds(1)
      #expect(rules.holds.first?.waiter.subject == subject)
      #expect(rules.holds.first?.waiter.since == clock.now)
      #expect(rules.openGate("g") == .opened(1))
      for await _ in end.stream {}
    }
  }

  @Test func `a delay starts at the decision, even if the clock is advanced at once`() async {
    for _ in 0..<500 {
      let end = AsyncStream.makeStream(of: Void.self)
      rules.afterHold(rules.decided(Outcome(delay: .seconds(1)), about: subject)) { end.continuation.finish() }
      clock.advance(by: .seconds(1))
      for await _ in end.stream {}
    }
  }

  @Test func `openGate does not know a gate that no rule has`() {
    #expect(rules.openGate("g") == .unknown)
    add("a", Outcome(gate: "g"))
    #expect(rules.openGate("g") == .opened(0))
  }

  @Test func `openGate opens a gate for a decided call that has not arrived yet`() async {
    let decided = rules.decided(Outcome(gate: "g"), about: subject)
    #expect(rules.openGate("g") == .opened(0))
    await rules.hold(decided)
    #expect(rules.openGate("g") == .unknown)
    #expect(rules.holds.isEmpty)
  }

  @Test func `openGate does not know a gate whose only decided call was given up`() async {
    var decided: RuleDecision? = rules.decided(Outcome(gate: "g"), about: subject)
    #expect(decided != nil && rules.openGate("g") == .opened(0))
    decided = nil
    while rules.openGate("g") != .unknown { await Task.yield() }
    #expect(rules.holds.isEmpty)
  }

  @Test func `a held outcome of a page that has ended is not applied`() async {
    rules.afterHold(rules.decided(Outcome(gate: "g"), about: subject)) { Issue.record("It happened.") }
    rules.afterHold(rules.decided(Outcome(delay: .seconds(1)), about: subject)) { Issue.record("It happened.") }
    await confirmation { done in
      let end = AsyncStream.makeStream(of: Void.self)
      let other = SessionRules.Subject(action: "a", pageID: "other")
      rules.afterHold(rules.decided(Outcome(gate: "g"), about: other)) {
        done()
        end.continuation.finish()
      }
      await holds(2)
      await sleepers(1)
      rules.forget(pageID: "page", shimID: nil)
      while rules.holds.count > 1 || clock.sleeperCount > 0 { await Task.yield() }
      _ = rules.openGate("g")
      for await _ in end.stream {}
    }
  }

  @Test func `ending the session ends all holds`() async {
    add("a", Outcome(gate: "g"))
    rules.afterHold(rules.decided(Outcome(gate: "g"), about: subject)) { Issue.record("It happened.") }
    let decided = rules.decided(Outcome(gate: "g"), about: subject)
    let flow = Task { await rules.hold(decided) }
    await holds(2)
    rules.end()
    await flow.value
    #expect(rules.isEmpty)
    #expect(rules.holds.isEmpty)
  }

  @Test func `a hold after the end of the session returns at once`() async throws {
    let decided = rules.decided(Outcome(delay: .seconds(1), gate: "g"), about: subject)
    rules.end()
    rules.afterHold(decided) { Issue.record("It happened.") }
    try #require(!rules.isHolding)
    await rules.holdOrEnd(decided)
    await rules.hold(decided)
    #expect(rules.holds.isEmpty)
  }

  @Test func `a delay that ends after the session does not lead to a gate`() async {
    let decided = rules.decided(Outcome(delay: .seconds(1), gate: "g"), about: subject)
    let flow = Task { await rules.hold(decided) }
    await sleepers(1)
    rules.end()
    clock.advance(by: .seconds(1))
    await flow.value
    #expect(rules.holds.isEmpty)
  }

  @Test func `a rule fails a flow of the store with its error, after its delay`() async throws {
    add("onside.payment", Outcome(answer: .failure("cancelled"), delay: .seconds(1)))
    let outcome = try #require(rules.decide(.payment, [:]))
    #expect(outcome.error == "cancelled")
    let held = Task { await outcome.hold() }
    await sleepers(1)
    clock.advance(by: .seconds(1))
    await held.value
  }

  @Test func `a scenario replaces the rules of the one before, and no others`() {
    add("own", Outcome(gate: "g"))
    func scenario(_ on: String, id: String?) -> [Rule] {
      [Rule(id: id, on: on, pattern: .anyObject, times: .once, outcome: Outcome(gate: "g"), source: .null)]
    }
    rules.begin(scenario("first", id: nil), ofScenario: "1")
    rules.begin(scenario("second", id: "rule-1"), ofScenario: "2")
    #expect(rules.list.entries.map(\.rule.on) == ["own", "second"])
    #expect(rules.list.entries.map(\.scenario) == [nil, "2"])
  }
}

import BridgeCore
import BridgeRuntime
import OnsideKit
import Testing

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

  @Test func `what is not held happens at once`() {
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
      #expect(rules.openGate("g") == 1)
      for await _ in end.stream {}
    }
  }

  @Test func `a delay begins with the decision, however soon the clock is moved after it`() async {
    for _ in 0..<500 {
      let end = AsyncStream.makeStream(of: Void.self)
      rules.afterHold(rules.decided(Outcome(delay: .seconds(1)), about: subject)) { end.continuation.finish() }
      clock.advance(by: .seconds(1))
      for await _ in end.stream {}
    }
  }

  @Test func `a gate that no rule has and where nothing waits is none`() {
    #expect(rules.openGate("g") == nil)
    add("a", Outcome(gate: "g"))
    #expect(rules.openGate("g") == 0)
  }

  @Test func `a gate can be opened while what was decided to wait there is on its way`() async {
    let decided = rules.decided(Outcome(gate: "g"), about: subject)
    #expect(rules.openGate("g") == 0)
    await rules.hold(decided)
    #expect(rules.openGate("g") == nil)
    #expect(rules.holds.isEmpty)
  }

  @Test func `a gate is none any more once what was decided to wait there is given up`() async {
    var decided: DecidedOutcome? = rules.decided(Outcome(gate: "g"), about: subject)
    #expect(decided != nil && rules.openGate("g") == 0)
    decided = nil
    while rules.openGate("g") != nil { await Task.yield() }
    #expect(rules.holds.isEmpty)
  }

  @Test func `what waits for a page that has ended does not happen`() async {
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

  @Test func `when the session ends nobody waits any more`() async {
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

  @Test func `what comes to its wait only after the session has ended waits for nothing`() async throws {
    let decided = rules.decided(Outcome(delay: .seconds(1), gate: "g"), about: subject)
    rules.end()
    rules.afterHold(decided) { Issue.record("It happened.") }
    try #require(!rules.isHolding)
    await rules.holdOrEnd(decided)
    await rules.hold(decided)
    #expect(rules.holds.isEmpty)
  }

  @Test func `a delay that is over after the end of the session leads to no gate`() async {
    let decided = rules.decided(Outcome(delay: .seconds(1), gate: "g"), about: subject)
    let flow = Task { await rules.hold(decided) }
    await sleepers(1)
    rules.end()
    clock.advance(by: .seconds(1))
    await flow.value
    #expect(rules.holds.isEmpty)
  }

  @Test func `a flow of the store fails as its rule says, after its wait`() async throws {
    add("onside.payment", Outcome(answer: .failure("cancelled"), delay: .seconds(1)))
    let outcome = try #require(rules.decide(.payment, [:]))
    #expect(outcome.error == "cancelled")
    let held = Task { await outcome.hold() }
    await sleepers(1)
    clock.advance(by: .seconds(1))
    await held.value
  }

  @Test func `a scenario takes the place of the one before, and leaves other rules`() {
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

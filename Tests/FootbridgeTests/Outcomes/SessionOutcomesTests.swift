import BridgeCore
import BridgeRuntime
import OnsideKit
import Testing

@testable import Footbridge

@Suite @BridgeActor struct SessionOutcomesTests {
  private let clock = ManualBridgeClock()
  private let outcomes: SessionOutcomes
  private let subject = SessionOutcomes.Subject(action: "a", pageID: "page", correlationID: "c")

  init() {
    outcomes = SessionOutcomes(clock: clock)
  }

  private func add(_ on: String, _ outcome: Outcome) {
    _ = outcomes.add(OutcomeRule(id: nil, on: on, pattern: [:], times: .always, outcome: outcome, source: .null))
  }

  /// Waits until as many sleep on the clock.
  private func sleepers(_ count: Int) async {
    while clock.sleeperCount < count { await Task.yield() }
  }

  /// Waits until as many wait at gates.
  private func holds(_ count: Int) async {
    while outcomes.holds.count < count { await Task.yield() }
  }

  @Test func `what is not held happens at once`() {
    var happened = false
    outcomes.afterHold(outcomes.decided(Outcome(cutsSocket: true), about: subject)) { happened = true }
    #expect(happened)
  }

  @Test func `the delay comes before the gate`() async {
    await confirmation { done in
      let end = AsyncStream.makeStream(of: Void.self)
      outcomes.afterHold(outcomes.decided(Outcome(delay: .seconds(1), gate: "g"), about: subject)) {
        done()
        end.continuation.finish()
      }
      await sleepers(1)
      #expect(outcomes.holds.isEmpty)
      clock.advance(by: .seconds(1))
      await holds(1)
      #expect(outcomes.holds.first?.waiter.subject == subject)
      #expect(outcomes.holds.first?.waiter.since == clock.now)
      #expect(outcomes.openGate("g") == 1)
      for await _ in end.stream {}
    }
  }

  @Test func `a gate that no rule has and where nothing waits is none`() {
    #expect(outcomes.openGate("g") == nil)
    add("a", Outcome(gate: "g"))
    #expect(outcomes.openGate("g") == 0)
  }

  @Test func `a gate can be opened while what was decided to wait there is on its way`() async {
    let decided = outcomes.decided(Outcome(gate: "g"), about: subject)
    #expect(outcomes.openGate("g") == 0)
    await outcomes.hold(decided)
    #expect(outcomes.openGate("g") == nil)
    #expect(outcomes.holds.isEmpty)
  }

  @Test func `a gate is none any more once what was decided to wait there is given up`() async {
    var decided: DecidedOutcome? = outcomes.decided(Outcome(gate: "g"), about: subject)
    #expect(decided != nil && outcomes.openGate("g") == 0)
    decided = nil
    while outcomes.openGate("g") != nil { await Task.yield() }
    #expect(outcomes.holds.isEmpty)
  }

  @Test func `what waits for a page that has ended does not happen`() async {
    outcomes.afterHold(outcomes.decided(Outcome(gate: "g"), about: subject)) { Issue.record("It happened.") }
    outcomes.afterHold(outcomes.decided(Outcome(delay: .seconds(1)), about: subject)) { Issue.record("It happened.") }
    await confirmation { done in
      let end = AsyncStream.makeStream(of: Void.self)
      let other = SessionOutcomes.Subject(action: "a", pageID: "other")
      outcomes.afterHold(outcomes.decided(Outcome(gate: "g"), about: other)) {
        done()
        end.continuation.finish()
      }
      await holds(2)
      await sleepers(1)
      outcomes.forget(pageID: "page")
      while outcomes.holds.count > 1 || clock.sleeperCount > 0 { await Task.yield() }
      _ = outcomes.openGate("g")
      for await _ in end.stream {}
    }
  }

  @Test func `when the session ends nobody waits any more`() async {
    add("a", Outcome(gate: "g"))
    outcomes.afterHold(outcomes.decided(Outcome(gate: "g"), about: subject)) { Issue.record("It happened.") }
    let decided = outcomes.decided(Outcome(gate: "g"), about: subject)
    let flow = Task { await outcomes.hold(decided) }
    await holds(2)
    outcomes.end()
    await flow.value
    #expect(outcomes.isEmpty)
    #expect(outcomes.holds.isEmpty)
  }

  @Test func `a flow of the store fails as its rule says, after its wait`() async throws {
    add("onside.payment", Outcome(answer: .failure("cancelled"), delay: .seconds(1)))
    let outcome = try #require(outcomes.decide(.payment, [:]))
    #expect(outcome.error == "cancelled")
    let held = Task { await outcome.hold() }
    await sleepers(1)
    clock.advance(by: .seconds(1))
    await held.value
  }

  @Test func `a scenario takes the place of the one before, and leaves other rules`() {
    add("own", Outcome(gate: "g"))
    func scenario(_ on: String, id: String?) -> Scenario {
      Scenario(rules: [
        OutcomeRule(id: id, on: on, pattern: [:], times: .once, outcome: Outcome(gate: "g"), source: .null)
      ])
    }
    outcomes.begin(scenario("first", id: nil), name: "1")
    outcomes.begin(scenario("second", id: "rule-1"), name: "2")
    #expect(outcomes.rules.entries.map(\.rule.on) == ["own", "second"])
    #expect(outcomes.rules.entries.map(\.scenario) == [nil, "2"])
  }
}

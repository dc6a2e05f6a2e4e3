import BridgeCore
import BridgeRuntime
import Essentials
import Testing

@testable import Sessions

/// What the next server of a session continues with.
@Suite(.timeLimit(.minutes(5))) @BridgeActor struct StoredRulesTests {
  /// What the store has.
  @BridgeActor private final class Store {
    var stored = StoredRules()
    var awaitedCount = 0
  }

  private let clock = ManualBridgeClock()
  private let store = Store()
  private let subject = SessionRules.Subject(action: "a", pageID: "1", correlationID: "c", shimID: "page")

  /// The rules at a server, with what the server before has stored.
  private func server() throws -> SessionRules {
    let rules = SessionRules(clock: clock)
    let text = try JSONEncoder().encode(store.stored)
    rules.restore(try JSONDecoder().decode(StoredRules.self, from: text), read: Self.read)
    rules.onChange = { [store] stored, isAwaited in
      store.stored = stored
      if isAwaited { store.awaitedCount += 1 }
    }
    return rules
  }

  /// A rule whose source is its gate, or its delay in seconds; nil for another source.
  private static func read(_ source: JSONValue) -> Rule? {
    var outcome = Outcome()
    switch source {
    case .string(let gate): outcome.gate = gate
    case .number(let seconds): outcome.delay = .seconds(seconds)
    default: return nil
    }
    return Rule(id: nil, on: "a", pattern: .anyObject, times: .listed([1, 3]), outcome: outcome, source: source)
  }

  private func add(_ source: JSONValue, to rules: SessionRules) throws {
    _ = rules.add(try #require(Self.read(source)))
  }

  private func decide(_ rules: SessionRules, _ subject: SessionRules.Subject) -> RuleDecision? {
    rules.decide(RuledCall("a", data: [:]), about: subject)
  }

  private func other(_ correlationID: String) -> SessionRules.Subject {
    SessionRules.Subject(action: "a", pageID: "1", correlationID: correlationID, shimID: "page")
  }

  @Test func `a stored rule continues with its count of calls`() throws {
    let one = try server()
    try add("g", to: one)
    _ = decide(one, subject)
    _ = decide(one, other("d"))
    let two = try server()
    #expect(two.list.entries.map(\.json) == one.list.entries.map(\.json))
    #expect(decide(two, other("e")) != nil)
    #expect(two.list.isEmpty)
    try add("g", to: two)
    #expect(two.list.entries.map(\.id) == ["rule-2"])
  }

  @Test func `a call that waits at a gate waits again at the next server`() async throws {
    let one = try server()
    try add("g", to: one)
    let held = try #require(decide(one, subject))
    let two = try server()
    one.end()
    #expect(decide(two, SessionRules.Subject(action: "a", correlationID: "c", shimID: "another page")) == nil)
    let again = try #require(decide(two, subject))
    #expect(again.outcome.gate == "g" && held.outcome.gate == "g")
    let passed = Task { await two.hold(again) }
    while two.holds.isEmpty { await Task.yield() }
    #expect(two.openGate("g") == .opened(1))
    await passed.value
  }

  @Test func `a gate that was opened for a call stays open for it at the next server`() async throws {
    let one = try server()
    try add("g", to: one)
    let held = try #require(decide(one, subject))
    let passed = Task { await one.hold(held) }
    while one.holds.isEmpty { await Task.yield() }
    store.awaitedCount = 0
    #expect(one.openGate("g") == .opened(1))
    #expect(store.awaitedCount == 1)
    await passed.value
    #expect(try #require(decide(try server(), subject)).outcome.gate == nil)
  }

  @Test func `a gate that was opened in advance releases one call at the next server`() async throws {
    let one = try server()
    try add("g", to: one)
    #expect(one.openGate("g") == .opened(0))
    let two = try server()
    await two.hold(try #require(decide(two, subject)))
    #expect(two.holds.isEmpty && store.stored.openings.isEmpty)
  }

  @Test func `a stored delay ends at its original time`() async throws {
    let one = try server()
    try add(2, to: one)
    let held = try #require(decide(one, subject))
    clock.advance(by: .seconds(1))
    let again = try #require(decide(try server(), subject))
    #expect(again.end == held.end && again.outcome.delay == .seconds(1))
    clock.advance(by: .seconds(5))
    #expect(!(try #require(decide(try server(), subject)).outcome.isHeld))
  }

  @Test func `a decision is removed from the store after its wait`() async throws {
    let one = try server()
    try add("g", to: one)
    var held = decide(one, subject)
    #expect(held != nil && store.stored.decisions.count == 1)
    held = nil
    while !store.stored.decisions.isEmpty { await Task.yield() }
    #expect(store.stored.deciding.isEmpty)
  }

  @Test func `the stored decisions of a page that has ended are removed`() throws {
    let one = try server()
    try add("g", to: one)
    let held = decide(one, subject)
    let two = try server()
    two.forget(pageID: "1", shimID: "page")
    #expect(held != nil && store.stored.decisions.isEmpty)
  }

  @Test func `a stored rule that cannot be read is left out`() throws {
    let one = try server()
    try add("g", to: one)
    store.stored.entries.append(
      StoredRules.Entry(id: "newer", source: .null, scenario: nil, matchCount: 0, decisionCount: 0))
    #expect(try server().list.entries.map(\.id) == ["rule-1"])
  }

  @Test func `a rollback undoes rules and openings that were not stored`() throws {
    let one = try server()
    try add("g", to: one)
    let former = store.stored
    try add("h", to: one)
    #expect(one.openGate("g") == .opened(0))
    one.rollBack(to: former, read: Self.read)
    #expect(one.list.entries.count == 1 && store.stored == former)
  }
}

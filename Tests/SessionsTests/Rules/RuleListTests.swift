import BridgeCore
import Testing

@testable import Footbridge
@testable import Sessions
@testable import TodayServer

@Suite struct RuleListTests {
  private func rule(
    _ on: String, _ times: Rule.Times = .once, id: String? = nil, where pattern: [String: JSONValue] = [:]
  ) -> Rule {
    Rule(
      id: id, on: on, pattern: (try? JSONPattern(.object(pattern))) ?? .anyObject, times: times,
      outcome: Outcome(gate: "g"), source: .null)
  }

  private func decisions(_ rules: inout RuleList, _ calls: [RuledCall]) -> [String?] {
    calls.map { rules.decide($0)?.id }
  }

  private let call = RuledCall("a", data: ["id": "x", "count": 1])

  @Test func `a rule decides once unless it says otherwise`() {
    var rules = RuleList()
    _ = rules.add(rule("a"))
    let decided = decisions(&rules, [call, call])
    #expect(decided == ["rule-1", nil])
    #expect(rules.isEmpty)
  }

  @Test func `a rule with times always decides until it is removed`() {
    var rules = RuleList()
    let id = rules.add(rule("a", .always))
    let decided = decisions(&rules, [call, call, call])
    #expect(decided == [id, id, id])
    let removed = [rules.remove("rule-1"), rules.remove("rule-1")]
    #expect(removed == [true, false])
    #expect(rules.isEmpty)
  }

  @Test func `a rule with nth decides only that call`() {
    var rules = RuleList()
    _ = rules.add(rule("a", .nth(3)))
    let decided = decisions(&rules, [call, call, call, call])
    #expect(decided == [nil, nil, "rule-1", nil])
    #expect(rules.isEmpty)
  }

  @Test(
    arguments: [
      (.listed([2, 4]), [2, 4]), (.first(3), [1, 2, 3]), (.from(3), [3, 4, 5, 6]), (.nth(2), [2]),
    ] as [(Rule.Times, [Int])])
  func `a rule decides its numbered calls, and is removed after the last`(
    times: Rule.Times, numbers: [Int]
  ) {
    var rules = RuleList()
    _ = rules.add(rule("a", times))
    let decided = (1...6).filter { _ in rules.decide(call) != nil }
    #expect(decided == numbers)
    #expect(rules.isEmpty == (times != .from(3)))
  }

  @Test func `a rule with a probability leaves other calls to the next rule`() {
    var rules = RuleList()
    _ = rules.add(rule("a", .from(2).withProbability(0.5), id: "chance"))
    _ = rules.add(rule("a", .always, id: "always"))
    var numbers = [0.4, 0.6, 0.4]
    let decided = (1...4).map { _ in rules.decide(call) { numbers.removeFirst() }?.id }
    #expect(decided == ["always", "chance", "always", "chance"])
    #expect(rules.entries.map { $0.json["decisions"] } == [2, 2])
  }

  @Test func `a random delay is drawn for each decision, from both ends of the range`() {
    var rules = RuleList()
    let outcome = Outcome(delay: .milliseconds(100), longestDelay: .milliseconds(200))
    _ = rules.add(
      Rule(id: nil, on: "a", pattern: .anyObject, times: .always, outcome: outcome, source: .null))
    let delays = [0, 0.5, 0.9999].map { number in rules.decide(call) { number }?.outcome.delay }
    #expect(delays == [.milliseconds(100), .milliseconds(150), .milliseconds(200)])
  }

  @Test func `the first active rule decides`() {
    var rules = RuleList()
    for id in ["first", "second"] { _ = rules.add(rule("a", id: id)) }
    _ = rules.add(rule("a", .always, id: "third"))
    let decided = decisions(&rules, [call, call, call, call])
    #expect(decided == ["first", "second", "third", "third"])
  }

  @Test func `a rule with nth counts calls that another rule decided`() {
    var rules = RuleList()
    _ = rules.add(rule("a", id: "once"))
    _ = rules.add(rule("a", .nth(2), id: "nth"))
    let decided = decisions(&rules, [call, call, call])
    #expect(decided == ["once", "nth", nil])
  }

  @Test func `a rule counts and decides only calls of its name with its data`() {
    var rules = RuleList()
    _ = rules.add(rule("a", .nth(2), where: ["id": "x"]))
    let other = RuledCall("a", data: ["id": "y"])
    let decided = decisions(&rules, [call, other, RuledCall("b", data: ["id": "x"]), call])
    #expect(decided == [nil, nil, nil, "rule-1"])
  }

  @Test func `a call's data is read once, when a rule needs it`() {
    var reads = 0
    func data() -> JSONValue {
      reads += 1
      return [:]
    }
    var rules = RuleList()
    _ = rules.add(rule("b", .always, where: ["id": "x"]))
    _ = rules.add(rule("a", .always))
    _ = rules.decide(RuledCall("a", data: data()))
    #expect(reads == 0)
    for _ in 1...2 { _ = rules.add(rule("c", .always, where: ["id": "x"])) }
    _ = rules.decide(RuledCall("c", data: data()))
    #expect(reads == 1)
  }

  @Test func `the id of an active rule is refused for another rule`() {
    var rules = RuleList()
    let names = ["rule-1", "rule-1", nil].map { rules.add(rule("a", id: $0)) }
    _ = rules.decide(call)
    let name = rules.add(rule("a", id: "rule-1"))
    #expect(names == ["rule-1", nil, "rule-2"])
    #expect(name == "rule-1")
  }

  @Test func `active rules are limited`() {
    var rules = RuleList()
    let names = (0...RuleList.limit).map { _ in rules.add(rule("a")) }
    #expect(names.firstIndex(of: nil) == RuleList.limit)
  }

  @Test func `the rules of scenarios can be removed alone`() {
    var rules = RuleList()
    _ = rules.add(rule("a", id: "own"))
    _ = rules.add(rule("a", id: "its"), scenario: "s")
    rules.removeAll(ofScenarios: true)
    #expect(rules.entries.map(\.id) == ["own"])
    rules.removeAll()
    #expect(rules.isEmpty)
  }

  @Test(
    arguments: [
      (#"{"value":{"type":"headers","x":1}}"#, ["today.headers", "today.message"]),
      (#"{"value":"text"}"#, ["today.message"]), ("{}", ["today.message"]),
      (#"{"value":{"type":1}}"#, ["today.message"]),
    ] as [(String, [String])])
  func `a Today message has the names of its type and of all messages`(data: String, names: [String]) throws {
    let data = try JSONValue(parsing: data)
    let call = TodayDefinition().rules.call(
      BridgePayload(action: "today.message", data: data.objectValue, status: nil, error: nil))
    #expect(call.names == names)
    #expect(call.data() == data["value"] ?? .null)
  }
}

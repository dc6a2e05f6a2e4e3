import BridgeCore
import Testing

@testable import Sessions

@Suite struct NearestMissesTests {
  @Test func `a match is found after other objects`() throws {
    var search = try NearestMisses(JSONPattern(["kind": "request", "data": ["id": "a"]]), leading: ["kind"])
    let objects: [JSONValue] = [["kind": "event"], ["kind": "request", "data": ["id": "a", "more": 1], "cursor": 2]]
    let matches = objects.map { search.matches($0) }
    #expect(matches == [false, true])
  }

  @Test func `misses are listed nearest first, and the latest first among equals`() throws {
    var search = try NearestMisses(
      JSONPattern(["kind": "request", "action": "a", "data": ["x": 1, "y": 2]]), leading: ["kind", "action"])
    let objects: [JSONValue] = [
      ["n": 1, "kind": "request", "action": "a", "data": ["x": 0, "y": 0]],
      ["n": 2, "kind": "event", "action": "a", "data": ["x": 1, "y": 2]],
      ["n": 3, "kind": "request", "action": "a", "data": ["x": 1, "y": 0]],
      ["n": 4, "kind": "request", "action": "a", "data": ["x": 0, "y": 2]],
      ["n": 5, "kind": "event", "action": "b"],
    ]
    let matches = objects.map { search.matches($0) }
    #expect(!matches.contains(true))
    #expect(search.misses.map { $0.object["n"] } == [4, 3, 1])
    #expect(search.misses.first?.differences == ["data.x is 0; it should be 1"])
  }

  @Test(arguments: [("request", 1), ("control", 2)])
  func `a call of the control API is a miss only where one is sought`(kind: String, count: Int) throws {
    var search = try NearestMisses(entries: JSONPattern(["kind": .string(kind), "action": "a"]))
    let objects: [JSONValue] = [["kind": "control", "action": "b"], ["kind": "request", "action": "b"]]
    let matches = objects.map { search.matches($0) }
    #expect(matches == [false, false])
    #expect(search.misses.count == count)
  }
}

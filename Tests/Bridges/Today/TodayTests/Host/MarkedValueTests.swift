import BridgeCore
import Testing

@testable import Today

@Suite struct MarkedValueTests {
  @Test(
    arguments: [
      (["$footbridge": "number", "value": "NaN"], "NaN"), (["$footbridge": "number", "value": "-0"], 0),
      (["$footbridge": "date", "value": 5], nil), (["$footbridge": "reference", "value": 0], nil),
      (["$footbridge": "object", "value": ["$footbridge": 1]], ["$footbridge": 1]),
      (["$footbridge": 7], nil), (["$footbridge": "number", "value": [1]], nil), (["value": 1], ["value": 1]), (1, 1),
    ] as [(JSONValue, JSONValue)])
  func `unmarked restores the value that the page posted`(value: JSONValue, meaning: JSONValue) {
    #expect(value.unmarked == meaning)
  }

  @Test func `NaN and infinity are scalars of an event, and dates are not`() {
    let message: JSONValue = [
      "type": "track", "ename": "e",
      "parameters": [
        "a": ["$footbridge": "number", "value": "Infinity"], "b": ["$footbridge": "date", "value": 0],
      ],
    ]
    guard case .track("e", let parameters) = TodayMessage(message) else { return #expect(Bool(false)) }
    #expect(parameters == ["a": "Infinity", "b": nil])
  }

  @Test func `a date is not taken for parameters, and an object with the mark's name is restored`() {
    let date: JSONValue = ["$footbridge": "date", "value": 0]
    guard case .track(_, let none) = TodayMessage(["type": "track", "ename": "e", "parameters": date]) else {
      return #expect(Bool(false))
    }
    #expect(none.isEmpty)
    guard case .headers = TodayMessage(["$footbridge": "object", "value": ["type": "headers", "$footbridge": 1]])
    else { return #expect(Bool(false)) }
    guard case .unknown = TodayMessage(date) else { return #expect(Bool(false)) }
  }
}

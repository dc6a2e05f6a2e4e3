import BridgeCore
import BridgeRuntime
import Testing

@testable import OnsideKit

struct EventRulesTests {
  private static let name40 = String(repeating: "n", count: 40)
  private static let text100 = String(repeating: "ä", count: 100)

  @Test func `an event with many bad parameters has a limited number of remarks`() {
    let parameters = Dictionary(uniqueKeysWithValues: (0..<5000).map { ("k\($0)", JSONValue.number(1)) })
    let event = OnsideEventRules.apply(name: "a", parameters: parameters, trackedAt: 0)
    #expect(event.isAccepted && event.parameters.count == OnsideEventRules.parameterLimit)
    #expect(event.remarks.count == OnsideEventRules.remarkLimit)
  }

  @Test(
    arguments: [
      ("purchaseCompleted", "purchaseCompleted", nil), ("a", "a", nil), ("A_1", "A_1", nil), (name40, name40, nil),
      (name40 + "x", name40, "truncated name: tooLong"), ("onside_x", nil, "rejected name: reserved"),
      ("$$x", nil, "rejected name: reserved"), ("", nil, "rejected name: malformed"),
      ("1a", nil, "rejected name: malformed"),
      ("_a", nil, "rejected name: malformed"), ("a-b", nil, "rejected name: malformed"),
      ("ä", nil, "rejected name: malformed"),
      ("a b", nil, "rejected name: malformed"), ("a\n", nil, "rejected name: malformed"), ("Onside_x", "Onside_x", nil),
      (name40 + "-", nil, "rejected name: malformed"),
    ] as [(String, String?, String?)])
  func `event names are accepted, truncated or rejected by the rules`(
    _ name: String, _ accepted: String?, _ remark: String?
  ) {
    let event = OnsideEventRules.apply(name: name, parameters: ["a": 1], trackedAt: 0)
    #expect(event.isAccepted == (accepted != nil))
    #expect(event.name == accepted ?? name)
    #expect(event.remarks.map(\.description) == (remark.map { [$0] } ?? []))
    #expect(event.parameters == (accepted == nil ? [:] : ["a": 1]))
  }

  @Test(
    arguments: [
      ("text", "text", nil), (1.5, 1.5, nil), (true, true, nil), ([], [], nil),
      (["a", 1, false], ["a", 1, false], nil),
      (.null, nil, "dropped \"key\": null"), ([:], nil, "dropped \"key\": unsupportedValue"),
      ([[1]], nil, "dropped \"key\": nestedArray"), ([.null], nil, "dropped \"key\": null"),
      ([[:]], nil, "dropped \"key\": unsupportedValue"),
      (.string(text100), .string(text100), nil),
      (.string(text100 + "ä"), .string(text100), "truncated \"key\": tooLong"),
      ([.string(text100 + "ä")], [.string(text100)], "truncated \"key\": tooLong"),
    ] as [(JSONValue, JSONValue?, String?)])
  func `parameter values are accepted, truncated or dropped by the rules`(
    _ value: JSONValue, _ accepted: JSONValue?, _ remark: String?
  ) {
    let event = OnsideEventRules.apply(name: "event", parameters: ["key": value], trackedAt: 0)
    #expect(event.isAccepted)
    #expect(event.parameters["key"] == accepted)
    #expect(event.remarks.map(\.description) == (remark.map { [$0] } ?? []))
  }

  @Test func `parameter keys follow the rules of names, and duplicates after truncation are dropped`() {
    let event = OnsideEventRules.apply(
      name: "event",
      parameters: ["onside_a": 1, "$$a": 1, "1a": 1, .init(Self.name40): 1, Self.name40 + "x": 2, "ok": 3], trackedAt: 0
    )
    #expect(event.parameters == [Self.name40: 1, "ok": 3])
    #expect(
      event.remarks.map(\.description) == [
        "dropped \"$$a\": reserved", "dropped \"1a\": malformed", "dropped \"\(Self.name40)x\": duplicate",
        "dropped \"onside_a\": reserved",
      ])
  }

  @Test func `an event retains its first 25 valid parameters`() {
    var parameters: [String: JSONValue] = ["!": 1, "a0": .null]
    for index in 10..<37 { parameters["p\(index)"] = 1 }
    let event = OnsideEventRules.apply(name: "event", parameters: parameters, trackedAt: 0)
    #expect(event.parameters.count == 25)
    #expect(event.parameters["p34"] == 1)
    #expect(event.remarks.suffix(2).map(\.description) == ["dropped \"p35\": tooMany", "dropped \"p36\": tooMany"])
  }

  @Test @BridgeActor func `a page's events are recorded, rejected ones too, and the call resolves`() async throws {
    let session = TestSession()
    var recorded: [OnsideTrackedEvent] = []
    session.onside.onEventTracked = { recorded.append($0) }
    let page = session.page()
    #expect(try await page.call("trackEvent", ["name": "paywall", "parameters": ["plan": "gold"]]) == nil)
    try await page.call("trackEvent", ["name": "onside_x"])
    #expect(recorded.map(\.isAccepted) == [true, false])
    #expect(recorded.first?.parameters == ["plan": "gold"])
    #expect(recorded.first?.trackedAt == session.clock.now.millisecondsSinceEpoch)
    await #expect(throws: TestPage.Rejection(code: "bridge.invalidArguments")) {
      try await page.call("trackEvent", ["name": 1])
    }
    await #expect(throws: TestPage.Rejection(code: "bridge.invalidArguments")) {
      try await page.call("trackEvent", ["name": "a", "parameters": [1]])
    }
  }
}

import BridgeCore
import Testing

@testable import FootbridgeCommand

@Suite struct JournalLineTests {
  private let entry: JSONValue = [
    "cursor": 12, "time": 1_893_456_000_250, "kind": "response", "action": "onside.purchase", "status": "error",
    "error": ["code": "loginDiscarded"], "data": ["a": 1],
  ]

  @Test func `a journal line has cursor, time, kind, action, status, error and data`() {
    #expect(
      JournalLine.text(of: entry)
        == #"   12  00:00:00.250  response       onside.purchase  error  loginDiscarded  {"a":1}"#)
  }

  @Test func `a journal line of several sessions begins with the session`() {
    #expect(JournalLine.text(of: entry, in: "alice").hasPrefix("alice     12  "))
  }

  @Test func `a journal line cuts long data and has no control characters`() {
    let long: JSONValue = ["cursor": 1, "data": .string(String(repeating: "a", count: 500))]
    #expect(JournalLine.text(of: long).hasSuffix("a…"))
    #expect(JournalLine.text(of: long).count < 250)
    #expect(!JournalLine.text(of: ["cursor": 1, "note": "\u{1B}[2J"]).contains("\u{1B}"))
  }
}

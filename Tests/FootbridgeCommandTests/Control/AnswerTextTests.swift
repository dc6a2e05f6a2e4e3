import BridgeCore
import ControlClient
import Testing

@testable import FootbridgeCommand

@Suite struct AnswerTextTests {
  private func lines(_ answer: JSONValue, width: Int? = nil) -> [String] { AnswerText(answer, nil, width: width).lines }

  @Test func `an object is printed as a line for each member, with aligned values`() {
    #expect(lines(["frozen": true, "now": "2030-01-31"]) == ["frozen  true", "now     2030-01-31"])
  }

  @Test func `a list of objects is printed as a table, and a list of texts line by line`() {
    #expect(lines(["rules": [["id": "a", "on": "onside.purchase"]]]) == ["id  on", "a   onside.purchase"])
    #expect(lines(["cookies": ["a", "b"]]) == ["a", "b"])
  }

  @Test func `an empty list is printed as a sentence`() {
    #expect(lines(["sheets": []]) == ["There are no sheets."])
  }

  @Test func `a table below other members has a heading`() {
    #expect(lines(["count": 1, "rules": [["id": "a"]]]) == ["count  1", "", "rules:", "id", "a"])
  }

  @Test func `a cell has nested values as words`() {
    #expect(AnswerText.cell(["b": 1, "a": [["x": 1], ["x": 2]]]) == "a 2 entries, b 1")
    #expect(AnswerText.cell([["x": 1]]) == "1 entry")
    #expect(AnswerText.cell([["id": "p", "name": "coins"], ["id": "gems"]]) == "coins, gems")
    #expect(AnswerText.cell(["one", 2, true]) == "one, 2, true")
    #expect(AnswerText.cell(.null) == "")
  }

  @Test(arguments: ["\u{1B}[2J", "a\nb", "a\u{202E}b", "a\u{7F}"])
  func `control and direction characters of a text are not printed`(text: String) {
    let shown = AnswerText.cell(.string(text)).unicodeScalars
    #expect(!shown.contains { "\u{1B}\n\u{202E}\u{7F}".unicodeScalars.contains($0) })
  }
}

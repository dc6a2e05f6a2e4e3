import ControlClient
import Testing

@Suite struct AgentResultsTests {
  @Test func `a short result is whole`() {
    var results = AgentResults()
    let text = String(repeating: "x", count: AgentResults.partLimit)
    #expect(results.firstPart(of: text, quotesPage: false) == text)
    #expect(results.nextPart(at: "1") == nil)
  }

  @Test func `a long result is cut, and its cursor gives the next part once`() {
    var results = AgentResults()
    let text = (0..<AgentResults.partLimit).map { "\($0 % 10)é" }.joined()
    let first = results.firstPart(of: text, quotesPage: false)
    #expect(first.hasPrefix(text.prefix(AgentResults.partLimit)))
    #expect(first.hasSuffix("\n… \(AgentResults.partLimit) more characters: use the tool more with the cursor 1."))
    #expect(results.nextPart(at: "1")?.text == String(text.dropFirst(AgentResults.partLimit)))
    #expect(results.nextPart(at: "1") == nil)
  }

  @Test func `the rest of an early result is forgotten after eight others`() {
    var results = AgentResults()
    let text = String(repeating: "x", count: AgentResults.partLimit + 1)
    for _ in 0..<9 { _ = results.firstPart(of: text, quotesPage: false) }
    #expect(results.nextPart(at: "1") == nil)
    #expect(results.nextPart(at: "2")?.text == "x")
  }

  @Test func `each part of a result that may quote a page says so`() {
    for quotesPage in [true, false] {
      var results = AgentResults()
      _ = results.firstPart(of: String(repeating: "x", count: 2 * AgentResults.partLimit + 1), quotesPage: quotesPage)
      #expect(results.nextPart(at: "1")?.quotesPage == quotesPage)
      #expect(results.nextPart(at: "2")?.quotesPage == quotesPage)
    }
  }
}

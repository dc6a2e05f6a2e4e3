import ControlClient
import Testing

@Suite struct AgentLinesTests {
  @Test func `lines are split correctly in chunks of any size`() {
    for size in 1...9 {
      var lines = AgentLines(limit: 4)
      var found: [AgentLines.Line] = []
      var rest = Array("ab\r\n\nabcde\nabcd\nx".utf8)[...]
      while !rest.isEmpty {
        found += lines.read(rest.prefix(size))
        rest = rest.dropFirst(size)
      }
      #expect(found == [.text(Array("ab".utf8)), .tooLong, .text(Array("abcd".utf8))], "\(size)")
    }
  }
}

import BridgeCore
import BridgeRuntime
import Testing

@testable import DeclaredServer
@testable import Sessions

@Suite struct HandlerLinesTests {
  private func read(_ pieces: String..., limit: Int = 5) -> [HandlerLines.Line] {
    var lines = HandlerLines(limit: limit)
    return pieces.flatMap { lines.push(Array($0.utf8)) }
  }

  private func whole(_ text: String) -> HandlerLines.Line { .whole(Array(text.utf8)) }

  @Test func `handler lines are read from chunks of any size`() {
    #expect(read("a", "b\nc\n\nd", "e\n") == [whole("ab"), whole("c"), whole("de")])
  }

  @Test func `a handler line is returned when its line break has arrived`() {
    #expect(read("abc").isEmpty)
  }

  @Test func `only the ends of a handler line that is too long are read, and the next one whole`() {
    let text = Array("abcdefg".utf8)
    #expect(
      read("abcde\nabcd", "ef", "g\nh\n") == [
        whole("abcde"), .tooLong(beginning: Array(text.prefix(6)), end: text, limit: 5), whole("h"),
      ])
    let long = String(repeating: "x", count: 400)
    let lines = read("first" + long, long, long + "last\n", limit: 500)
    guard case .tooLong(let beginning, let end, _)? = lines.first else { return #expect(Bool(false), "\(lines)") }
    #expect(lines.count == 1 && beginning.count == 256 && end.count == 256)
    #expect(beginning.starts(with: "firstx".utf8) && end.suffix(5) == Array("xlast".utf8))
  }
}

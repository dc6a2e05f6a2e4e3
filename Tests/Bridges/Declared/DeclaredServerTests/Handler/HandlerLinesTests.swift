@testable import DeclaredServer
import BridgeCore
import BridgeRuntime
import Testing

@testable import Sessions

@Suite struct HandlerLinesTests {
  private func lines(_ pieces: String..., limit: Int = 5) -> [String?] {
    var lines = HandlerLines(limit: limit)
    return pieces.flatMap { lines.push(Array($0.utf8)) }.map { $0.map { String(decoding: $0, as: UTF8.self) } }
  }

  @Test func `handler lines are read from chunks of any size`() {
    #expect(lines("a", "b\nc\n\nd", "e\n") == ["ab", "c", "de"])
  }

  @Test func `a handler line is returned when its line break has arrived`() {
    #expect(lines("abc").isEmpty)
  }

  @Test func `a handler line that is too long is dropped, and the next one is read`() {
    #expect(lines("abcde\nabcd", "ef", "g\nh\n") == ["abcde", nil, "h"])
  }
}

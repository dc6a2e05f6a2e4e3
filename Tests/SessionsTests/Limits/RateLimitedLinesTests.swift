import BridgeRuntime
import Testing

@testable import Sessions

@Suite struct RateLimitedLinesTests {
  private func instant(_ seconds: Double) -> BridgeInstant { BridgeInstant(millisecondsSinceEpoch: seconds * 1000) }

  @Test func `the first line is written, then one per interval with its count`() {
    var lines = RateLimitedLines(interval: .seconds(10))
    #expect(lines.count("a", at: instant(0)) == 1)
    for _ in 0..<1000 { #expect(lines.count("a", at: instant(9.9)) == nil) }
    #expect(lines.count("a", at: instant(10)) == 1001)
    #expect(lines.count("a", at: instant(10.1)) == nil)
    #expect(lines.count("a", at: instant(100)) == 2)
    #expect(lines.count("a", at: instant(200)) == 1)
  }

  @Test func `lines of different kinds are counted separately`() {
    var lines = RateLimitedLines(interval: .seconds(10))
    #expect(lines.count("a", at: instant(0)) == 1)
    #expect(lines.count("b", at: instant(0)) == 1)
  }
}

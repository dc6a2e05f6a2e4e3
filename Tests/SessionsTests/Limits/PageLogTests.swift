import BridgeRuntime
import Logging
import Testing

@testable import Sessions

@Suite @BridgeActor struct PageLogTests {
  private let clock = ManualBridgeClock()
  private let written = RecordedLines()

  private func log() -> PageLog {
    PageLog(session: "0123456789abcdef", logger: Logger(label: "test") { [written] _ in written }, clock: clock)
  }

  @Test(arguments: [
    ("a name", "a name"), ("é, 日本, 👍", "é, 日本, 👍"), ("a\nfootbridge: ready", "a\\nfootbridge: ready"),
    ("\r\t\0", "\\r\\t\\0"),
    ("\u{1B}[2J", "\\u{1B}[2J"), ("\u{2028}\u{85}", "\\u{2028}\\u{0085}"), ("\u{202E}", "\\u{202E}"),
  ])
  func `a page's text is logged as one line without control characters`(text: String, line: String) {
    log().note(text)
    #expect(written.lines == [line])
  }

  @Test func `a page's long text is cut`() {
    log().note(String(repeating: "a", count: 1_000_000))
    #expect(written.lines == [String(repeating: "a", count: PageLog.textLimit) + "…"])
  }

  @Test func `a flood of lines is limited, and later lines are logged again`() {
    let log = log()
    for number in 0..<100_000 { log.note("\(number)") }
    #expect(written.lines.count == PageLog.lineLimit + 1)
    #expect(written.lines.last?.contains("0123456789abcdef") == true)
    clock.advance(by: LineFlood.interval)
    log.note("after")
    #expect(written.lines.last == "after")
  }
}

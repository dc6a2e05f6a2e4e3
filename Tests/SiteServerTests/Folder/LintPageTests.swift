import Foundation
import Testing

@testable import Footbridge
@testable import Sessions
@testable import SiteServer

@Suite struct LintPageTests {
  @Test func `the manual lists each rule of the linter in the program's words`() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let lines = try String(contentsOf: root.appending(path: "docs/lint.md"), encoding: .utf8)
      .split(separator: "\n").map(String.init)
    let rules = BridgeList().makeTable().lintRules.values.sorted { $0.id < $1.id }
    #expect(rules.map(\.id) == (1...28).map { $0 < 10 ? "L0\($0)" : "L\($0)" })
    for rule in rules {
      let row =
        "- <a id=\"\(rule.id.lowercased())\"></a>\(rule.id), \(rule.severity.rawValue): \(rule.title)"
      #expect(lines.contains(row), "docs/lint.md needs this row:\n\(row)")
    }
  }
}

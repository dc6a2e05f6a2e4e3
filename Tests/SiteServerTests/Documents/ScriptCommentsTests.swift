import Testing

@testable import Footbridge
@testable import Sessions
@testable import SiteServer

@Suite struct ScriptCommentsTests {
  private func removed(_ source: String) -> String {
    String(decoding: ScriptComments.removed(from: Array(source.utf8)), as: UTF8.self)
  }

  @Test func `lines with only a comment are removed`() {
    #expect(removed("// one\nlet a; // two\n  // three\nlet b;\n") == "let a; // two\nlet b;\n")
  }

  @Test func `documentation comments of one or more lines are removed`() {
    #expect(
      removed("/** One line. */\nlet a;\n  /**\n   * Many.\n   * @type {string}\n   */\n  let b;\n")
        == "let a;\nlet b;\n")
  }

  @Test func `type comments inside of code are removed`() {
    #expect(
      removed("let a = /** @type {A} */ (b).c();\n/**\n * @type {A}\n */ (a).b();\n") == "let a = (b).c();\n(a).b();\n")
  }

  @Test func `indentation and empty lines are removed, and other spaces are not`() {
    #expect(removed("\n  let a =  1; \n\n    /* b */ c\n") == "let a =  1; \n/* b */ c\n")
  }

  @Test func `an unterminated comment is removed up to the end`() {
    #expect(removed("a;\n/** never") == "a;\n")
    #expect(removed("a;\n// never") == "a;\n")
    #expect(removed("/") == "/")
  }

  @Test(arguments: ["shim", "bridges", "sheets", "lint"])
  func `no literal in the page's scripts contains a comment`(folder: String) {
    var quotes = 0
    let paths = EmbeddedFile.all.keys.filter { $0.hasPrefix("\(folder)/") && $0.hasSuffix(".js") }.sorted()
    for line in String(decoding: ModuleOrder(of: paths).source, as: UTF8.self).split(separator: "\n") {
      let text = line.trimmingPrefix { $0 == " " }
      let isComment = ["//", "/**", "* ", "*/"].contains { text.hasPrefix($0) }
      #expect(!isComment || quotes.isMultiple(of: 2), "\(line) is in a template literal")
      if isComment { continue }
      let before = text.firstRange(of: "/**").map { text[..<$0.lowerBound] } ?? ""
      #expect(before.count { "\"'`".contains($0) }.isMultiple(of: 2), "\(line) has a comment in a literal")
      quotes += line.count { $0 == "`" }
    }
  }
}

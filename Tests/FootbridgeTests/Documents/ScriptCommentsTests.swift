import Testing

@testable import Footbridge
@testable import Sessions

@Suite struct ScriptCommentsTests {
  private func removed(_ source: String) -> String {
    String(decoding: ScriptComments.removed(from: Array(source.utf8)), as: UTF8.self)
  }

  @Test func `lines of nothing but a comment go`() {
    #expect(removed("// one\nlet a; // two\n  // three\nlet b;\n") == "let a; // two\nlet b;\n")
  }

  @Test func `documentation goes, on one line and on many`() {
    #expect(
      removed("/** One line. */\nlet a;\n  /**\n   * Many.\n   * @type {string}\n   */\n  let b;\n")
        == "let a;\nlet b;\n")
  }

  @Test func `types go from the code that they are about`() {
    #expect(
      removed("let a = /** @type {A} */ (b).c();\n/**\n * @type {A}\n */ (a).b();\n") == "let a = (b).c();\n(a).b();\n")
  }

  @Test func `indentation and empty lines go, other blanks stay`() {
    #expect(removed("\n  let a =  1; \n\n    /* b */ c\n") == "let a =  1; \n/* b */ c\n")
  }

  @Test func `what never ends ends with the script`() {
    #expect(removed("a;\n/** never") == "a;\n")
    #expect(removed("a;\n// never") == "a;\n")
    #expect(removed("/") == "/")
  }

  @Test(arguments: ["shim", "bridges", "sheets", "lint"])
  func `no literal in our scripts has anything of a comment in it`(folder: String) {
    var quotes = 0
    for line in String(decoding: ShimScript.source(of: folder), as: UTF8.self).split(separator: "\n") {
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

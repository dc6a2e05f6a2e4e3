import Testing

@testable import Footbridge

@Suite struct ScriptCommentsTests {
  @Test func `lines of nothing but a comment go`() {
    #expect(ScriptComments.removed(from: "// one\nlet a; // two\n  // three\nlet b;\n") == "let a; // two\nlet b;\n")
  }

  @Test func `documentation goes, on one line and on many`() {
    let source = "/** One line. */\nlet a;\n  /**\n   * Many.\n   * @type {string}\n   */\n  let b;\n"
    #expect(ScriptComments.removed(from: source) == "let a;\n  let b;\n")
  }

  @Test func `documentation with code behind it stays`() {
    for source in ["/** @type {A} */ (a).b();\n", "/**\n * @type {A}\n */ (a).b();\n"] {
      #expect(ScriptComments.removed(from: source) == source)
    }
  }

  @Test func `other comments and comments that never end stay`() {
    for source in ["/* a */\nlet a;\n", "let a = /*b*/ {};\n", "/** never\nlet a;\n", "let a = \"// no comment\";\n"] {
      #expect(ScriptComments.removed(from: source) == source)
    }
  }

  @Test(arguments: ["shim", "sheets"])
  func `no line of a template literal in our scripts begins like a comment`(folder: String) {
    var quotes = 0
    for line in ShimScript.source(of: folder).split(separator: "\n") {
      let text = line.trimmingPrefix { $0 == " " }
      let isComment = ["//", "/**", "* ", "*/"].contains { text.hasPrefix($0) }
      #expect(!isComment || quotes.isMultiple(of: 2), "\(line) is in a template literal")
      if !isComment { quotes += line.count { $0 == "`" } }
    }
  }
}

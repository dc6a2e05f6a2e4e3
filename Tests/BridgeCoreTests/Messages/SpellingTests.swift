import BridgeCore
import Testing

@Suite struct SpellingTests {
  @Test(arguments: [
    ("", "", 0), ("abc", "", 3), ("", "abc", 3), ("serve", "serve", 0), ("serve", "server", 1), ("serve", "sarve", 1),
    ("sevre", "serve", 1), ("kitten", "sitting", 3), ("ab", "ba", 1), ("abcd", "badc", 2), ("ca", "abc", 3),
  ])
  func `the distance counts added, removed, replaced and exchanged characters`(one: String, other: String, count: Int) {
    #expect(Spelling.distance(one, other) == count)
    #expect(Spelling.distance(other, one) == count)
  }

  @Test func `the nearest word may have a third of its characters wrong`() {
    #expect(Spelling.nearest(to: "Sevre", in: ["exec", "serve", "show"]) == "serve")
    #expect(Spelling.nearest(to: "answerShet", in: ["listSheets", "answerSheet"]) == "answerSheet")
    #expect(Spelling.nearest(to: "xyz", in: ["serve"]) == nil)
    #expect(Spelling.nearest(to: "serve", in: []) == nil)
  }
}

import Testing

@testable import FootbridgeCommand

@Suite struct TextTableTests {
  @Test func `columns are as wide as their longest cell, and lines have no trailing spaces`() {
    let table = TextTable(["id", "name"], [["1", ""], ["22222", "eva"]])
    #expect(table.lines == ["id     name", "1", "22222  eva"])
  }

  @Test func `columns that do not fit are left out, but the first one is always shown`() {
    let rows = [["0123456789", "b", "0123456789", "d"]]
    #expect(TextTable(["a", "b", "c", "d"], rows, width: 16).lines == ["a           b  d", "0123456789  b  d"])
    #expect(TextTable(["a", "b", "c", "d"], rows, width: 3).lines == ["a", "0123456789"])
  }
}

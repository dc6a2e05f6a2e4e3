import Testing

@testable import FootbridgeCommand

@Suite struct TextTableTests {
  @Test func `columns are as wide as their longest cell, and lines have no trailing spaces`() {
    let table = TextTable(["id", "name"], [["1", ""], ["22222", "eva"]])
    #expect(table.lines == ["id     name", "1", "22222  eva"])
  }

  @Test func `long cells are shortened before a column is left out, and the first column never is`() {
    let rows = [["0123456789", "short", String(repeating: "x", count: 40)], ["1", "", "y"]]
    #expect(
      TextTable(["id", "b", "c"], rows, width: 30).lines == [
        "id          b      c", "0123456789  short  xxxxxxxxxx…", "1                  y",
      ])
  }

  @Test func `columns are left out by importance, and stay in their order`() {
    let rows = [["0123456789", "0123456789", "0123456789", "coins"]]
    let table = TextTable(["id", "first", "second", "product"], rows, important: ["product", "second"], width: 30)
    #expect(table.lines == ["id          second     product", "0123456789  01234567…  coins"])
  }

  @Test func `a long cell does not fill the other rows, unless the table goes to a terminal`() {
    let long = String(repeating: "x", count: 60)
    let table = TextTable(["a", "b"], [[long, "1"], ["y", "2"]])
    let space = String(repeating: " ", count: 41)
    #expect(table.lines == ["a\(space)b", "\(long)  1", "y\(space)2"])
  }

  @Test func `columns that do not fit are left out, but the first one is always shown`() {
    let rows = [["0123456789", "b", "0123456789", "d"]]
    #expect(TextTable(["a", "b", "c", "d"], rows, width: 16).lines == ["a           b  d", "0123456789  b  d"])
    #expect(TextTable(["a", "b", "c", "d"], rows, width: 3).lines == ["a", "0123456789"])
  }
}

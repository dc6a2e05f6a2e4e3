import BridgeRuntime
import Testing

@testable import Sessions

@Suite struct RowChangesTests {
  private struct Row: StoreRow {
    static let table = StoreTable("row")
    let rowID: String
    let value: Int
    var storedText: [UInt8] { [] }
  }

  private func list(_ rows: [(String, Int)]) -> SharedList<Row> {
    SharedList(rows.map { Row(rowID: $0.0, value: $0.1) })
  }

  private func check(
    _ former: [(String, Int)], _ present: [(String, Int)], written: [String], removed: [String] = [],
    _ location: SourceLocation = #_sourceLocation
  ) {
    let changes = RowChanges(from: list(former), to: list(present))
    let found = changes.written.map {
      "\($0.former.map { "\($0.rowID)\($0.value)" } ?? "")>\($0.present.rowID)\($0.present.value)"
    }
    #expect(found == written && changes.removed == removed, sourceLocation: location)
  }

  @Test func `equal lists write no rows`() {
    check([("a", 1)], [("a", 1)], written: [])
    check([], [], written: [])
  }

  @Test func `a new element has no former value, and a changed one has`() {
    check([("a", 1)], [("a", 1), ("b", 2)], written: [">b2"])
    check([("a", 1), ("b", 2), ("c", 3)], [("a", 1), ("b", 4), ("c", 3)], written: ["b2>b4"])
    check([("a", 1), ("b", 2)], [("a", 3), ("b", 4)], written: ["a1>a3", "b2>b4"])
  }

  @Test func `an element that replaces another one is new, and the other is removed`() {
    check([("a", 1)], [("b", 1)], written: [">b1"], removed: ["a"])
    check([("a", 1), ("b", 2)], [("b", 2)], written: [], removed: ["a"])
    check([("a", 1), ("b", 2)], [("a", 3), ("c", 2)], written: ["a1>a3", ">c2"], removed: ["b"])
  }

  @Test func `a list without one of its elements has one removed row`() {
    check([("a", 1)], [], written: [], removed: ["a"])
    check([("a", 1), ("b", 2), ("c", 3)], [("a", 1), ("c", 3)], written: [], removed: ["b"])
    check([("a", 1), ("b", 2), ("c", 3)], [("a", 1), ("c", 4)], written: ["c3>c4"], removed: ["b"])
  }

  @Test func `a changed order writes no rows`() {
    check([("a", 1), ("b", 2)], [("b", 2), ("a", 1)], written: [])
  }
}

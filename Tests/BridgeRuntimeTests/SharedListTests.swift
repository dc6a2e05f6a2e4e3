import BridgeRuntime
import Foundation
import Testing

@Suite struct SharedListTests {
  @Test func `changing a copy does not change the list, and shares the elements before the change`() {
    let list: SharedList = ["a", "b", "c"]
    var copy = list
    copy[1] = "x"
    copy.append("d")
    copy.remove(at: 0)
    #expect(Array(list) == ["a", "b", "c"])
    #expect(Array(copy) == ["x", "c", "d"])
    #expect(copy.countOfSame(as: list) == 0)
    #expect((list + ["d"]).countOfSame(as: list) == 3)
  }

  @Test func `shared elements count as the same without being compared`() {
    // It is not equal to itself: whoever compares would find a difference.
    let list: SharedList = [Double.nan, 1]
    #expect(list.countOfSame(as: list) == 2)
    #expect(list == list)
    #expect(list != [Double.nan, 1])
  }

  @Test func `firstIndex and indices search in order, and lastIndex from the end`() {
    let list: SharedList = [3, 1, 4, 1]
    #expect(list.firstIndex { $0 == 1 } == 1)
    #expect(list.firstIndex { $0 == 5 } == nil)
    #expect(list.firstIndex(whereShared: { $0.wrappedValue < 4 && $0.wrappedValue > 1 }) == 0)
    #expect(list.indices(whereShared: { $0.wrappedValue == 1 }) == [1, 3])
    #expect(list.lastIndex(whereShared: { $0.wrappedValue == 1 }) == 3)
    #expect(list.lastIndex(whereShared: { $0.wrappedValue == 5 }) == nil)
    #expect(list.indices { $0 < 4 } == [0, 1, 3])
  }

  @Test func `a list is coded as an array, and a shared value as the value alone`() throws {
    let list: SharedList = ["a", "b"]
    let text = try JSONEncoder().encode(list)
    #expect(String(decoding: text, as: UTF8.self) == #"["a","b"]"#)
    #expect(try JSONDecoder().decode(SharedList<String>.self, from: text) == list)
  }
}

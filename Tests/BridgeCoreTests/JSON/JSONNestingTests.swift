import Testing

@testable import BridgeCore

@Suite struct JSONNestingTests {
  /// Objects and arrays in an order that no shift by a word or less repeats.
  private let kinds = (0..<400).map { $0 * $0 % 7 < 3 || $0 % 64 == 0 }

  @Test func `leaving a level restores whether the outer one is an object`() {
    for depth in [1, 2, 63, 64, 65, 127, 128, 129, 191, 192, 193, 400] {
      var nesting = JSONNesting()
      for (level, kind) in kinds.prefix(depth).enumerated() {
        nesting.enter(isObject: kind)
        #expect(nesting.depth == level + 1 && nesting.isInObject == kind)
      }
      for level in (0..<depth).reversed() {
        #expect(nesting.isInObject == kinds[level])
        nesting.leave()
        #expect(nesting.depth == level)
      }
    }
  }

  @Test(arguments: [63, 64, 65, 127, 128, 129])
  func `entering and leaving a level does not change the outer levels`(depth: Int) {
    var nesting = JSONNesting()
    for kind in kinds.prefix(depth) { nesting.enter(isObject: kind) }
    for round in 0..<10 {
      nesting.enter(isObject: round % 2 == 0)
      nesting.enter(isObject: round % 3 == 0)
      #expect(nesting.isInObject == (round % 3 == 0))
      nesting.leave()
      #expect(nesting.isInObject == (round % 2 == 0))
      nesting.leave()
      #expect(nesting.isInObject == kinds[depth - 1])
    }
    for level in (0..<depth).reversed() {
      #expect(nesting.isInObject == kinds[level])
      nesting.leave()
    }
    #expect(nesting.depth == 0)
  }
}

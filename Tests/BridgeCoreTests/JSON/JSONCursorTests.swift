import Testing

@testable import BridgeCore

@Suite struct JSONCursorTests {
  /// What a cursor writes into memory of just so many bytes.
  private func written(_ room: Int, _ body: (inout JSONCursor) -> Void) -> String {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: room) { memory in
      memory.initialize(repeating: UInt8(ascii: "?"))
      var cursor = JSONCursor(memory)
      body(&cursor)
      return String(decoding: memory[..<cursor.count], as: UTF8.self)
    }
  }

  private func isWritten(_ integer: Int64) -> Bool {
    let text = String(integer)
    return written(text.utf8.count) { $0.write(integer) } == text
  }

  @Test(arguments: [
    0, 1, 9, 10, 11, 99, 100, 101, 109, 110, 999, 1000, 1001, -1, -9, -10, -99, -100, .min, .min + 1, .max, .max - 1,
  ])
  func `an integer is written with exactly its digits`(integer: Int64) {
    #expect(isWritten(integer))
  }

  @Test func `integers of every length are written with exactly their digits`() {
    var power: Int64 = 1
    for _ in 0..<19 {
      let near = [power - 1, power, power + 1, power + power / 2, power &* 9 &+ 5, 123_456_789_012_345_678 % power]
      #expect(near.allSatisfy { isWritten($0) && isWritten(0 &- $0) }, "\(power)")
      power = power &* 10
    }
    #expect((0..<12_000).allSatisfy { isWritten($0) })
  }

  @Test func `writing appends to what was written before`() {
    let text = written(32) { cursor in
      cursor.write(literal: "[")
      for integer: Int64 in [7, -42, 100] {
        cursor.write(integer)
        cursor.write(literal: ",")
      }
    }
    #expect(text == "[7,-42,100,")
  }

  @Test(
    arguments: [
      (0, "0"), (-0.0, "0"), (1, "1"), (-1, "-1"), (9_007_199_254_740_991, "9007199254740991"),
      (-9_007_199_254_740_991, "-9007199254740991"), (9_007_199_254_740_992, "9007199254740992.0"), (0.5, "0.5"),
      (1.5e300, "1.5e+300"), (.nan, "null"), (-.infinity, "null"),
      (-.greatestFiniteMagnitude, "-1.7976931348623157e+308"),
      (-.leastNonzeroMagnitude, "-5e-324"),
    ] as [(Double, String)])
  func `a number fits into numberRoom, and an integral one has no fraction`(number: Double, text: String) throws {
    #expect(written(JSONCursor.numberRoom) { $0.write(number) } == text)
  }

  @Test func `the token of a written string spans its text and knows whether it has escapes`() {
    for (string, hasEscapes) in [
      ("", false), ("abc", false), ("é€😀", false), ("a\"", true), ("\n", true), ("\u{1}", true),
    ] {
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1 + JSONCursor.room(for: string)) { memory in
        var cursor = JSONCursor(memory)
        cursor.write(literal: "[")
        let token = cursor.writeToken(string)
        #expect(token.hasEscapes == hasEscapes)
        #expect(token.range.upperBound == cursor.count - 1 && token.range.lowerBound == 2)
        #expect(JSONScanner(UnsafeBufferPointer(memory)).string(token) == string)
      }
    }
  }

  @Test func `a string of any characters is read back as it was written`() throws {
    for code in (0..<0x180).map(UInt32.init) + [0x7FF, 0x800, 0xFFFD, 0xFFFF, 0x10000, 0x10FFFF] {
      let scalar = try #require(Unicode.Scalar(code))
      // Before and after what is looked at in one piece.
      for count in [0, 1, 15, 16, 17] {
        let string = String(repeating: "x", count: count) + String(scalar) + String(repeating: "y", count: 17 - count)
        let text = written(JSONCursor.room(for: string)) { $0.write(string) }
        #expect(try JSONValue(parsing: text) == .string(string))
      }
    }
  }
}

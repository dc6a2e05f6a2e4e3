import Testing

@testable import BridgeCore

struct JSONPlainTextTests {
  @Test func `plain text ends at the first byte that a JSON string cannot hold as it is`() {
    for byte in UInt8.min...UInt8.max {
      let isPlain = 0x20..<0x80 ~= byte && byte != 0x22 && byte != 0x5C
      for position in 0..<20 {
        var text = Array(repeating: UInt8(ascii: "a"), count: 20)
        text[position] = byte
        #expect(text.withUnsafeBufferPointer { JSONPlainText.end(in: $0, from: 0) } == (isPlain ? 20 : position))
      }
    }
  }

  @Test func `the end of plain text is found from any start, and the bytes after the text are not read`() {
    for byte in UInt8.min...UInt8.max {
      let isPlain = 0x20..<0x80 ~= byte && byte != 0x22 && byte != 0x5C
      var wrong: [[Int]] = []
      for count in 0...40 {
        // What stands behind the text is not looked at, and what stands before the start neither.
        for position in 0...count {
          var memory = Array(repeating: UInt8(ascii: "~"), count: count + 20)
          for index in count..<memory.count { memory[index] = UInt8(ascii: "\"") }
          if position < count { memory[position] = byte }
          for start in Set([0, 1, position, position + 1, count]) where start <= count {
            let end = memory.withUnsafeBufferPointer {
              JSONPlainText.end(in: UnsafeBufferPointer(rebasing: $0[..<count]), from: start)
            }
            let expected = isPlain || position < start ? count : position
            if end != expected { wrong.append([count, position, start, end]) }
          }
        }
      }
      #expect(wrong.isEmpty, "\(byte)")
    }
  }

  @Test func `plain text ends at the first of several special bytes`() {
    for distance in 1...40 {
      for first in 0..<20 {
        var text = Array(repeating: UInt8(ascii: "a"), count: 64)
        text[first] = 0x80
        text[first + distance] = 0x22
        #expect(text.withUnsafeBufferPointer { JSONPlainText.end(in: $0, from: 0) } == first)
        #expect(text.withUnsafeBufferPointer { JSONPlainText.end(in: $0, from: first + 1) } == first + distance)
      }
    }
  }

  @Test func `the end of plain text in an empty buffer is 0`() {
    #expect(JSONPlainText.end(in: UnsafeBufferPointer(start: nil, count: 0), from: 0) == 0)
  }

  @Test func `special bytes before the start are ignored`() {
    let text = Array("\"\"\"plain text of some length\"".utf8)
    #expect(text.withUnsafeBufferPointer { JSONPlainText.end(in: $0, from: 3) } == text.count - 1)
  }

  @Test func `a plain byte after a control character is not taken for a special one`() {
    // In the same eight bytes: a control character, whose subtraction borrows from the plain one after it.
    let text: [UInt8] = [0x61, 0x61, 0x00, 0x20, 0x23, 0x5D, 0x61, 0x61]
    #expect(text.withUnsafeBufferPointer { JSONPlainText.end(in: $0, from: 0) } == 2)
    #expect(text.withUnsafeBufferPointer { JSONPlainText.end(in: $0, from: 3) } == 8)
  }
}

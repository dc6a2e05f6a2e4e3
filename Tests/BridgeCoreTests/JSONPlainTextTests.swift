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

  @Test func `what stands before the start does not count`() {
    let text = Array("\"\"\"plain text of some length\"".utf8)
    #expect(text.withUnsafeBufferPointer { JSONPlainText.end(in: $0, from: 3) } == text.count - 1)
  }

  @Test func `the byte after one that is not plain is not taken for it`() {
    // In the same eight bytes: a control character, whose subtraction borrows from the plain one after it.
    let text: [UInt8] = [0x61, 0x61, 0x00, 0x20, 0x23, 0x5D, 0x61, 0x61]
    #expect(text.withUnsafeBufferPointer { JSONPlainText.end(in: $0, from: 0) } == 2)
    #expect(text.withUnsafeBufferPointer { JSONPlainText.end(in: $0, from: 3) } == 8)
  }
}

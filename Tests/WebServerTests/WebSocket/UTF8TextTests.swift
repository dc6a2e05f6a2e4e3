import Testing

@testable import WebServer

@Suite struct UTF8TextTests {
  /// Whether the text is valid, where bytes that are not stand before and behind it.
  private func isValid(_ text: [UInt8]) -> Bool {
    let invalid = [UInt8](repeating: 0xFF, count: 40)
    return (invalid + text + invalid).withUnsafeBufferPointer {
      UTF8Text.isValid(UnsafeBufferPointer(rebasing: $0[40..<(40 + text.count)]))
    }
  }

  /// ASCII of any length that has `piece` at any place: where that is valid.
  private func places(of piece: [UInt8], in counts: some Sequence<Int> = 0...70) -> [Bool] {
    counts.flatMap { count in
      (0...count).map { place in
        var text = (0..<count).map { UInt8($0 + 0x20) }
        text.insert(contentsOf: piece, at: place)
        return isValid(text)
      }
    }
  }

  @Test func `ASCII of any length is valid UTF-8`() {
    #expect(UTF8Text.isValid(UnsafeBufferPointer(start: nil, count: 0)))
    for count in 0...200 { #expect(isValid([UInt8](repeating: 0x7F, count: count))) }
  }

  @Test func `a single byte from 0x80 is invalid UTF-8 at any position`() {
    for byte: UInt8 in [0, 0x7F, 0x80, 0xBF, 0xC2, 0xFF] {
      #expect(Set(places(of: [byte])) == [byte < 0x80], "\(byte)")
    }
    for byte in UInt8.min...UInt8.max { #expect(Set(places(of: [byte], in: [0, 7, 35])) == [byte < 0x80], "\(byte)") }
  }

  @Test(
    arguments: [
      "\u{80}", "é", "\u{7FF}", "\u{800}", "€", "\u{D7FF}", "\u{E000}", "\u{FFFF}", "\u{10000}", "😀", "\u{10FFFF}",
      "é€😀é",
    ])
  func `multi-byte characters are valid at any position, and invalid when cut`(character: String) {
    let bytes = Array(character.utf8)
    #expect(Set(places(of: bytes)) == [true])
    #expect(Set(places(of: bytes.dropLast())) == [false])
    #expect(Set(places(of: Array(bytes.dropFirst()))) == [false])
  }

  @Test(
    arguments: [
      [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x8F, 0xBF, 0xBF],
      [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xC3, 0x28], [0xE2, 0x28, 0xA1], [0xF0, 0x9F, 0x98, 0x20],
    ] as [[UInt8]])
  func `overlong forms, surrogates and code points above U+10FFFF are invalid`(sequence: [UInt8]) {
    #expect(Set(places(of: sequence)) == [false])
  }

  private func places(of piece: ArraySlice<UInt8>) -> [Bool] { places(of: Array(piece)) }
}

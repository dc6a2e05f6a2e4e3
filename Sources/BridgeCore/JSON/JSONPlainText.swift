/// Text that is the same within a JSON string as without: ASCII but for quotation marks, backslashes and control characters.
enum JSONPlainText {
  /// Where the plain text that begins at `start` ends: at the first other byte, or at the end of `bytes`.
  ///
  /// Eight bytes at a time: most of what crosses the bridge is plain.
  @inline(__always)
  static func end(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    let raw = UnsafeRawBufferPointer(bytes)
    var index = start
    while index &+ 8 <= bytes.count {
      let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      let others = marks(word)
      if others != 0 { return index &+ others.trailingZeroBitCount / 8 }
      index &+= 8
    }
    while index < bytes.count, isPlain(bytes[index]) { index += 1 }
    return index
  }

  /// The high bit of the first byte of `word` that is not plain, and perhaps of bytes after it: the subtractions borrow from those only.
  @inline(__always)
  private static func marks(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let controls = word &- ones &* 0x20
    let quotationMarks = (word ^ (ones &* 0x22)) &- ones
    let backslashes = (word ^ (ones &* 0x5C)) &- ones
    return (word | controls | quotationMarks | backslashes) & (ones &* 0x80)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    0x20..<0x80 ~= byte && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }
}

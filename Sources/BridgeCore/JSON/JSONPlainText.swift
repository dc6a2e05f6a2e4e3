import CPlainText

/// Text that is the same within a JSON string as without: ASCII but for quotation marks, backslashes and control characters.
enum JSONPlainText {
  /// Where the plain text that begins at `start` ends: at the first other byte, or at the end of `bytes`.
  @inline(__always)
  static func end(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    guard let first = bytes.baseAddress else { return start }
    var index = footbridge_plain_text_end(first, start, bytes.count)
    while index < bytes.count, isPlain(bytes[index]) { index &+= 1 }
    return index
  }

  @inline(__always)
  private static func isPlain(_ byte: UInt8) -> Bool {
    0x20..<0x80 ~= byte && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }
}

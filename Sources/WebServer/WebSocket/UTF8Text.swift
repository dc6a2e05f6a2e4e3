/// Text in UTF-8 (RFC 3629).
///
/// libwebsockets could check it, too, byte by byte: that takes more than everything else that it does for a message.
enum UTF8Text {
  /// Whether the bytes are such text.
  static func isValid(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    if bytes.count >= 32, let start = UnsafeRawPointer(bytes.baseAddress) {
      // Most of what crosses the bridge is ASCII: thirty-two bytes at a time, the last of them again if need be.
      let last = bytes.count &- 32
      while isASCII(start + index) {
        if index == last { return true }
        index = min(index &+ 32, last)
      }
    }
    while index < bytes.count, bytes[index] < 0x80 { index += 1 }
    guard index < bytes.count else { return true }
    return String(validating: bytes[index...], as: UTF8.self) != nil
  }

  /// Whether the thirty-two bytes at a place are ASCII.
  @inline(__always)
  private static func isASCII(_ start: UnsafeRawPointer) -> Bool {
    let some =
      start.loadUnaligned(as: UInt64.self) | start.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
      | start.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
      | start.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
    return some & 0x8080_8080_8080_8080 == 0
  }
}

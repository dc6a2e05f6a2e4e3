/// Text in UTF-8 (RFC 3629).
///
/// libwebsockets could check it, too, but byte by byte, which takes longer than all its other work for a message.
enum UTF8Text {
  /// Whether the bytes are valid UTF-8.
  static func isValid(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    if bytes.count >= 32, let start = UnsafeRawPointer(bytes.baseAddress) {
      // Most messages are ASCII: checks 32 bytes at a time, and the last ones again if needed.
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

  /// Whether 32 bytes are ASCII.
  @inline(__always)
  private static func isASCII(_ start: UnsafeRawPointer) -> Bool {
    let some =
      start.loadUnaligned(as: UInt64.self) | start.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
      | start.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
      | start.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
    return some & 0x8080_8080_8080_8080 == 0
  }
}

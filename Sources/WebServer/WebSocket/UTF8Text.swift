/// Text in UTF-8 (RFC 3629).
///
/// libwebsockets could check it, too, byte by byte: that takes more than everything else that it does for a message.
enum UTF8Text {
  /// Whether the bytes are such text.
  static func isValid(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let raw = UnsafeRawBufferPointer(bytes)
    var index = 0
    // Most of what crosses the bridge is ASCII.
    while index + 32 <= bytes.count {
      let some = raw.loadUnaligned(fromByteOffset: index, as: SIMD4<UInt64>.self)
      guard some & 0x8080_8080_8080_8080 == .zero else { break }
      index += 32
    }
    while index < bytes.count, bytes[index] < 0x80 { index += 1 }
    guard index < bytes.count else { return true }
    return String(validating: bytes[index...], as: UTF8.self) != nil
  }
}

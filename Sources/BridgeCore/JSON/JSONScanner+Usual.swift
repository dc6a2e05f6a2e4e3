/// What is read without care for all that JSON allows: each says whether the text is as it usually is.
extension JSONScanner {
  /// Passes over `text` if it is next.
  @inline(__always)
  mutating func skip(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard bytes.count &- position >= count, holds(text, at: position) else { return false }
    position &+= count
    return true
  }

  /// Reads a string without escapes, of ASCII, if it is next.
  @inline(__always)
  mutating func plainString() -> JSONStringToken? {
    guard skip("\"") else { return nil }
    let start = position
    let end = JSONPlainText.end(in: bytes, from: start)
    guard end < bytes.count, bytes[end] == UInt8(ascii: "\"") else { return nil }
    position = end &+ 1
    return JSONStringToken(range: start..<end, hasEscapes: false)
  }

  /// Reads a whole number of at most fifteen digits, which a Double has exactly, if it is next and a comma follows.
  @inline(__always)
  mutating func plainInteger() -> Int? {
    var index = position
    var value = 0
    while index < bytes.count, 0x30...0x39 ~= bytes[index] {
      value = value &* 10 &+ Int(bytes[index] &- 0x30)
      index &+= 1
    }
    let count = index &- position
    guard count > 0, count <= 15, count == 1 || bytes[position] != 0x30, index < bytes.count,
      bytes[index] == UInt8(ascii: ",")
    else { return nil }
    position = index
    return value
  }
}

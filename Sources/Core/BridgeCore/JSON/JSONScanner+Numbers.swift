extension JSONScanner {
  /// Reads a number as the nearest Double. A number beyond the range of Double is an error.
  mutating func readNumber() throws(JSONError) -> Double {
    // The number begins after the white space.
    _ = peek()
    let start = position
    let number = try scanNumber()
    if let exact = number.exact { return exact }
    guard position - start <= Self.numberByteLimit else { throw JSONError("number too long", offset: start) }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    guard let value = Double(text), value.isFinite else { throw JSONError("number out of range", offset: start) }
    return value
  }

  /// The maximum length of a number, in bytes. The time of a conversion grows with the number of digits.
  private static let numberByteLimit = 1024

  /// A number that was scanned. `exact` is its value as the nearest Double; nil if its text must be converted.
  struct NumberToken {
    let exact: Double?
  }

  /// Consumes a number and checks its syntax (RFC 8259, section 6).
  mutating func scanNumber() throws(JSONError) -> NumberToken {
    let start = peek() == nil ? bytes.count : position
    var index = start
    let isNegative = index < bytes.count && bytes[index] == UInt8(ascii: "-")
    if isNegative { index += 1 }
    var mantissa: UInt64 = 0
    let whole = digits(from: &index, into: &mantissa)
    if whole == 0 || (whole > 1 && bytes[index - whole] == UInt8(ascii: "0")) {
      throw JSONError(whole == 0 ? "expected a value" : "a number must not start with 0", offset: start)
    }
    var fraction = 0
    if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
      index += 1
      fraction = digits(from: &index, into: &mantissa)
      if fraction == 0 { throw JSONError("expected a digit", offset: index) }
    }
    var hasExponent = false
    if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
      hasExponent = true
      index += 1
      if index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") { index += 1 }
      var ignored: UInt64 = 0
      if digits(from: &index, into: &ignored) == 0 { throw JSONError("expected a digit", offset: index) }
    }
    position = index
    // Fifteen digits fit a Double exactly, and so do the powers of ten up to 22: one division then rounds once, correctly.
    guard !hasExponent, whole + fraction <= 15 else { return NumberToken(exact: nil) }
    let magnitude = fraction == 0 ? Double(mantissa) : Double(mantissa) / Self.powersOfTen[fraction]
    return NumberToken(exact: isNegative ? -magnitude : magnitude)
  }

  private static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
  ]

  @inline(__always)
  private func digits(from index: inout Int, into mantissa: inout UInt64) -> Int {
    let start = index
    // Stops one digit above the limit, so that readNumber rejects the number.
    let stop = min(bytes.count, start + Self.numberByteLimit + 1)
    while index < stop, 0x30...0x39 ~= bytes[index] {
      mantissa = mantissa &* 10 &+ UInt64(bytes[index] - 0x30)
      index += 1
    }
    return index - start
  }
}

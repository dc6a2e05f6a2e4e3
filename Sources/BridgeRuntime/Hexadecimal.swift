/// Hexadecimal digits, lower-case.
package enum Hexadecimal {
  /// Writes two digits for each byte.
  package static func text(_ bytes: [UInt8]) -> String {
    String(unsafeUninitializedCapacity: 2 * bytes.count) { digits in
      var index = 0
      for byte in bytes {
        digits[index] = digit(byte >> 4)
        digits[index + 1] = digit(byte & 15)
        index += 2
      }
      return index
    }
  }

  /// Writes the lowest digits of a number at `index`.
  static func write(_ number: UInt64, digits count: Int, to digits: UnsafeMutableBufferPointer<UInt8>, at index: Int) {
    var rest = number
    for place in stride(from: index + count - 1, through: index, by: -1) {
      digits[place] = digit(UInt8(truncatingIfNeeded: rest & 15))
      rest >>= 4
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
  }
}

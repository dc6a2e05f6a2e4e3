/// Hexadecimal digits, lower-case.
package enum Hexadecimal {
  /// Whether a text consists of `count` digits.
  package static func isText(_ text: String, count: Int) -> Bool {
    text.utf8.count == count && text.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
  }

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

  /// Writes a UUID in its usual form, with hyphens.
  package static func uuid(_ high: UInt64, _ low: UInt64) -> String {
    String(unsafeUninitializedCapacity: 36) { digits in
      write(high >> 32, digits: 8, to: digits, at: 0)
      write(high >> 16, digits: 4, to: digits, at: 9)
      write(high, digits: 4, to: digits, at: 14)
      write(low >> 48, digits: 4, to: digits, at: 19)
      write(low, digits: 12, to: digits, at: 24)
      for index in [8, 13, 18, 23] { digits[index] = UInt8(ascii: "-") }
      return 36
    }
  }

  /// Writes the lowest digits of a number at `index`.
  static func write(_ number: UInt64, digits count: Int, to digits: UnsafeMutableBufferPointer<UInt8>, at index: Int) {
    var rest = number
    var place = index + count
    while place > index {
      place -= 1
      digits[place] = digit(UInt8(truncatingIfNeeded: rest & 15))
      rest >>= 4
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
  }
}

import Essentials

/// Base64 with the URL-safe alphabet and without padding (RFC 4648, section 5; RFC 7515, section 2).
package enum Base64URL {
  /// Encodes bytes.
  package static func encode(_ bytes: [UInt8]) -> String {
    String(unsafeUninitializedCapacity: bytes.count * 4 / 3 + 1) { digits in
      var count = 0
      for start in stride(from: 0, to: bytes.count, by: 3) {
        var bits = UInt32(bytes[start]) << 16
        if start + 1 < bytes.count { bits |= UInt32(bytes[start + 1]) << 8 }
        if start + 2 < bytes.count { bits |= UInt32(bytes[start + 2]) }
        // Three bytes have four digits, two have three, one has two.
        for place in 0..<min(4, bytes.count - start + 1) {
          digits[count] = digit(bits >> (18 - 6 * UInt32(place)) & 63)
          count += 1
        }
      }
      return count
    }
  }

  /// Decodes a text.
  ///
  /// - Returns: The bytes; nil when the text has padding or any character outside the alphabet.
  package static func decode(_ text: some StringProtocol) -> [UInt8]? {
    guard text.utf8.allSatisfy(isDigit) else { return nil }
    var digits = text.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "-"): UInt8(ascii: "+")
      case UInt8(ascii: "_"): UInt8(ascii: "/")
      default: byte
      }
    }
    digits += repeatElement(UInt8(ascii: "="), count: (4 - digits.count % 4) % 4)
    return Data(base64Encoded: Data(digits)).map { Array($0) }
  }

  private static func digit(_ value: UInt32) -> UInt8 {
    let digits: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    return digits.utf8Start[Int(value)]
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}

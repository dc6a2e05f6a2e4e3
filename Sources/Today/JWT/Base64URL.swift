import Foundation

/// Base64 with the alphabet for URLs and without padding (RFC 4648, section 5; RFC 7515, section 2).
package enum Base64URL {
  /// The text that stands for these bytes.
  package static func encode(_ bytes: some Sequence<UInt8>) -> String {
    let text = Data(bytes).base64EncodedString()
    return String(text.replacing("+", with: "-").replacing("/", with: "_").prefix { $0 != "=" })
  }

  /// The bytes that a text stands for; nil when it has padding, or anything else from outside the alphabet.
  package static func decode(_ text: some StringProtocol) -> [UInt8]? {
    guard text.utf8.allSatisfy(isDigit) else { return nil }
    let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    return Data(base64Encoded: String(text).replacing("-", with: "+").replacing("_", with: "/") + padding).map {
      Array($0)
    }
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

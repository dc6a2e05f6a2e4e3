import BridgeCore

/// Searches texts for many secrets at once, and replaces them by a mark.
final class SecretPatterns: Sendable {
  /// The mark that replaces a secret.
  static let mark = "‹secret›"

  /// Whether a secret begins with three bytes that have this hash.
  private let canBegin: [Bool]
  private let textsByPrefix: [UInt64: [[UInt8]]]

  /// The maximum depth of decoding, such as an address within an address within an address.
  private static let decodingLimit = 3
  private static let prefixCount = 8

  /// Prepares the search for texts of at least 8 bytes. Shorter texts are ignored.
  init(_ texts: [String]) {
    var canBegin = [Bool](repeating: false, count: 4096)
    var textsByPrefix: [UInt64: [[UInt8]]] = [:]
    for text in texts where text.utf8.count >= Self.prefixCount {
      let bytes = Array(text.utf8)
      canBegin[Self.hash(bytes[0], bytes[1], bytes[2])] = true
      textsByPrefix[bytes.withUnsafeBufferPointer { Self.prefix($0, at: 0) }, default: []].append(bytes)
    }
    // If one text is a prefix of another, the longer one is removed whole.
    self.textsByPrefix = textsByPrefix.mapValues { $0.sorted { $0.count > $1.count } }
    self.canBegin = canBegin
  }

  /// Returns a value without the secrets, also in the names of members.
  func leavingOut(of value: JSONValue) -> JSONValue {
    switch value {
    case .string(let text): .string(leavingOut(of: text))
    case .array(let elements): .array(elements.map { leavingOut(of: $0) })
    case .object(let members):
      .object(
        Dictionary(
          members.map { (leavingOut(of: $0.key), leavingOut(of: $0.value)) }, uniquingKeysWith: { first, _ in first }))
    case .number, .bool, .null: value
    }
  }

  /// Returns a text without the secrets. If it contains a secret in encoded form, as in an address or in JSON, replaces the whole text.
  func leavingOut(of text: String) -> String {
    guard text.utf8.count >= Self.prefixCount else { return text }
    var bytes = Array(text.utf8)
    let found = ranges(in: bytes)
    if !found.isEmpty { bytes = replaced(found, in: bytes) }
    var encoded = bytes
    for _ in 0..<Self.decodingLimit {
      guard let decoded = Self.decoded(encoded) else { break }
      if !ranges(in: decoded).isEmpty { return Self.mark }
      encoded = decoded
    }
    return found.isEmpty ? text : String(decoding: bytes, as: UTF8.self)
  }

  private func ranges(in bytes: [UInt8]) -> [Range<Int>] {
    bytes.withUnsafeBufferPointer { bytes in
      var found: [Range<Int>] = []
      var index = 0
      while index + Self.prefixCount <= bytes.count {
        if canBegin[Self.hash(bytes[index], bytes[index + 1], bytes[index + 2])],
          let texts = textsByPrefix[Self.prefix(bytes, at: index)],
          let text = texts.first(where: { bytes[index...].starts(with: $0) })
        {
          found.append(index..<(index + text.count))
          index += text.count
        } else {
          index += 1
        }
      }
      return found
    }
  }

  private func replaced(_ ranges: [Range<Int>], in bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var end = 0
    for range in ranges {
      result += bytes[end..<range.lowerBound]
      result += Array(Self.mark.utf8)
      end = range.upperBound
    }
    return result + bytes[end...]
  }

  /// Decodes percent-encoding (RFC 3986, section 2.1) and JSON escapes (RFC 8259, section 7); nil if there is nothing to decode.
  private static func decoded(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "\\") }) else { return nil }
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      let isUnicode = byte == UInt8(ascii: "\\") && index + 5 < bytes.count && bytes[index + 1] == UInt8(ascii: "u")
      if byte == UInt8(ascii: "%"), let value = number(bytes, at: index + 1, digits: 2) {
        decoded.append(UInt8(value))
        index += 3
      } else if isUnicode, let value = number(bytes, at: index + 2, digits: 4), value < 0x80 {
        decoded.append(UInt8(value))
        index += 6
      } else if byte == UInt8(ascii: "\\"), index + 1 < bytes.count {
        decoded.append(bytes[index + 1])
        index += 2
      } else {
        decoded.append(byte)
        index += 1
      }
    }
    return decoded.count == bytes.count ? nil : decoded
  }

  private static func number(_ bytes: [UInt8], at index: Int, digits: Int) -> Int? {
    guard index + digits <= bytes.count else { return nil }
    return bytes[index..<(index + digits)].reduce(0 as Int?) { number, byte in
      guard let number, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      return number * 16 + digit
    }
  }

  private static func hash(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Int {
    (Int(first) ^ Int(second) << 3 ^ Int(third) << 6) & 4095
  }

  private static func prefix(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> UInt64 {
    bytes[index..<(index + prefixCount)].reduce(0) { $0 << 8 | UInt64($1) }
  }
}

import CPlainText
import Essentials

extension JSONScanner {
  mutating func readString() throws(JSONError) -> String {
    string(try readStringToken())
  }

  /// Checks the next value, which must be a string.
  mutating func readStringToken() throws(JSONError) -> JSONStringToken {
    guard peek() == UInt8(ascii: "\"") else { throw error("expected a string") }
    return try scanString()
  }

  /// Whether the string's text is `text`. The string must have no escapes.
  @inline(__always)
  func matches(_ token: JSONStringToken, _ text: StaticString) -> Bool {
    guard token.range.count == text.utf8CodeUnitCount, !token.hasEscapes else { return false }
    return holds(text, at: token.range.lowerBound)
  }

  /// Whether `text` is at `start`. The buffer must have enough bytes there.
  @inline(__always)
  func holds(_ text: StaticString, at start: Int) -> Bool {
    guard let base = bytes.baseAddress else { return false }
    return memcmp(base + start, text.utf8Start, text.utf8CodeUnitCount) == 0
  }

  /// The text of a scanned string.
  func string(_ token: JSONStringToken) -> String {
    let raw = UnsafeBufferPointer(rebasing: bytes[token.range])
    if !token.hasEscapes { return String(decoding: raw, as: UTF8.self) }
    var text: [UInt8] = []
    text.reserveCapacity(raw.count)
    var index = 0
    while index < raw.count {
      guard raw[index] == UInt8(ascii: "\\") else {
        text.append(raw[index])
        index += 1
        continue
      }
      index += 2
      switch raw[index - 1] {
      case UInt8(ascii: "b"): text.append(0x08)
      case UInt8(ascii: "f"): text.append(0x0C)
      case UInt8(ascii: "n"): text.append(0x0A)
      case UInt8(ascii: "r"): text.append(0x0D)
      case UInt8(ascii: "t"): text.append(0x09)
      case UInt8(ascii: "u"):
        let (scalar, next) = escapedScalar(raw, at: index)
        text.append(contentsOf: String(scalar).utf8)
        index = next
      case let literal: text.append(literal)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Consumes a string and checks its escapes and its UTF-8. The next byte must be the opening quotation mark.
  @inline(__always)
  mutating func scanString() throws(JSONError) -> JSONStringToken {
    let start = position + 1
    let end = JSONPlainText.end(in: bytes, from: start)
    // Most strings are plain from beginning to end.
    guard end < bytes.count, bytes[end] == UInt8(ascii: "\"") else { return try scanString(from: start, plainTo: end) }
    position = end + 1
    return JSONStringToken(range: start..<end, hasEscapes: false)
  }

  /// Consumes and checks a string whose text begins at `start` and is plain up to `end`.
  @inline(never)
  private mutating func scanString(from start: Int, plainTo end: Int) throws(JSONError) -> JSONStringToken {
    var index = end
    var hasEscapes = false
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        position = index + 1
        return JSONStringToken(range: start..<index, hasEscapes: hasEscapes)
      case UInt8(ascii: "\\"):
        hasEscapes = true
        index = try endOfEscape(at: index)
      case 0x00..<0x20: throw JSONError("control character in a string", offset: index)
      default: index = try endOfUTF8Sequence(at: index)
      }
      // Letters of other scripts usually follow one another, and so do escapes: then there is no plain text to look for.
      guard index < bytes.count else { break }
      if bytes[index] < 0x80, bytes[index] != UInt8(ascii: "\\") {
        index = JSONPlainText.end(in: bytes, from: index)
      }
    }
    throw JSONError("unterminated string", offset: position)
  }

  private func endOfEscape(at index: Int) throws(JSONError) -> Int {
    guard index + 1 < bytes.count else { throw JSONError("unterminated string", offset: index) }
    switch bytes[index + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"),
      UInt8(ascii: "r"), UInt8(ascii: "t"):
      return index + 2
    case UInt8(ascii: "u"):
      let digits = bytes[min(index + 2, bytes.count)..<min(index + 6, bytes.count)]
      guard digits.count == 4, digits.allSatisfy({ hexadecimalDigit($0) != nil }) else {
        throw JSONError("\\u needs four hexadecimal digits", offset: index)
      }
      return index + 6
    default: throw JSONError("unknown escape", offset: index)
    }
  }

  /// Returns the end of a UTF-8 sequence (RFC 3629, section 4): shortest form only, no surrogates, nothing above U+10FFFF.
  private func endOfUTF8Sequence(at index: Int) throws(JSONError) -> Int {
    let lead = bytes[index]
    var end = index
    while end &+ 1 < bytes.count, 0xC2...0xDF ~= bytes[end], bytes[end &+ 1] & 0xC0 == 0x80 { end &+= 2 }
    if end > index { return end }
    let (length, second): (Int, ClosedRange<UInt8>) =
      switch lead {
      case 0xC2...0xDF: (2, 0x80...0xBF)
      case 0xE0: (3, 0xA0...0xBF)
      case 0xED: (3, 0x80...0x9F)
      case 0xE1...0xEF: (3, 0x80...0xBF)
      case 0xF0: (4, 0x90...0xBF)
      case 0xF1...0xF3: (4, 0x80...0xBF)
      case 0xF4: (4, 0x80...0x8F)
      default: throw JSONError("invalid UTF-8", offset: index)
      }
    guard index + length <= bytes.count, second.contains(bytes[index + 1]),
      bytes[(index + 2)..<(index + length)].allSatisfy({ $0 & 0xC0 == 0x80 })
    else { throw JSONError("invalid UTF-8", offset: index) }
    return index + length
  }

  /// Returns the scalar whose four digits start at `index`, combined with the low surrogate if one follows.
  private func escapedScalar(_ raw: UnsafeBufferPointer<UInt8>, at index: Int) -> (Unicode.Scalar, next: Int) {
    let high = codeUnit(raw, at: index)
    if 0xD800...0xDBFF ~= high, index + 10 <= raw.count, raw[index + 4] == UInt8(ascii: "\\"),
      raw[index + 5] == UInt8(ascii: "u")
    {
      let low = codeUnit(raw, at: index + 6)
      if 0xDC00...0xDFFF ~= low, let scalar = Unicode.Scalar(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)) {
        return (scalar, index + 10)
      }
    }
    return (Unicode.Scalar(high) ?? "\u{FFFD}", index + 4)
  }

  private func codeUnit(_ raw: UnsafeBufferPointer<UInt8>, at index: Int) -> UInt32 {
    raw[index..<(index + 4)].reduce(0) { $0 << 4 | UInt32(hexadecimalDigit($1) ?? 0) }
  }

  private func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

/// The position of a string in JSON text, between its quotation marks.
struct JSONStringToken {
  let range: Range<Int>
  let hasEscapes: Bool
}

/// Text that needs no escapes in a JSON string: ASCII without quotation marks, backslashes and control characters.
enum JSONPlainText {
  /// The end of the plain text that begins at `start`: the first other byte, or the end of `bytes`.
  @inline(__always)
  static func end(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    guard let first = bytes.baseAddress else { return start }
    var index = footbridge_plain_text_end(first, start, bytes.count)
    while index < bytes.count, isPlain(bytes[index]) { index &+= 1 }
    return index
  }

  @inline(__always)
  private static func isPlain(_ byte: UInt8) -> Bool {
    0x20..<0x80 ~= byte && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }
}

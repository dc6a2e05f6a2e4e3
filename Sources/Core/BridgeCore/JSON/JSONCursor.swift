import Essentials

/// Writes JSON text into memory with enough room, which the caller reserves. A ``JSONWriter`` appends the result in one piece.
struct JSONCursor {
  /// The most room that a string needs, with its quotation marks: each byte may become `\u00XX`.
  static func room(for string: String) -> Int { string.utf8.count * 6 + 2 }
  /// The most room that a number needs, in bytes.
  static let numberRoom = 32

  /// How many bytes have been written.
  private(set) var count = 0

  private let memory: UnsafeMutableBufferPointer<UInt8>

  init(_ memory: UnsafeMutableBufferPointer<UInt8>) {
    self.memory = memory
  }

  /// Writes text that is already JSON.
  @inline(__always)
  mutating func write(literal: StaticString) {
    write(UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  /// Writes bytes that are already JSON.
  @inline(__always)
  mutating func write(json: UnsafeBufferPointer<UInt8>) {
    write(json)
  }

  /// Writes a string with its quotation marks.
  mutating func write(_ string: String) {
    write(byte: UInt8(ascii: "\""))
    var string = string
    string.withUTF8 { text in
      var start = 0
      var end = JSONPlainText.end(in: text, from: 0)
      while end < text.count {
        if text[end] < 0x80 {
          write(UnsafeBufferPointer(rebasing: text[start..<end]))
          writeEscape(of: text[end])
          start = end + 1
        }
        end = JSONPlainText.end(in: text, from: end + 1)
      }
      write(UnsafeBufferPointer(rebasing: text[start...]))
    }
    write(byte: UInt8(ascii: "\""))
  }

  /// Writes a string with its quotation marks, and returns the position of its text.
  mutating func writeToken(_ string: String) -> JSONStringToken {
    let start = count + 1
    write(string)
    return JSONStringToken(range: start..<(count - 1), hasEscapes: count - 1 - start != string.utf8.count)
  }

  /// Writes the text of a string that needs no escapes, with quotation marks.
  @inline(__always)
  mutating func write(plain text: UnsafeBufferPointer<UInt8>) {
    write(byte: UInt8(ascii: "\""))
    write(text)
    write(byte: UInt8(ascii: "\""))
  }

  /// Writes a number: whole ones below 2⁵³ without fraction or exponent, others in the shortest form that reads back the same. Infinities
  /// and NaN become `null`, as in `JSON.stringify`.
  mutating func write(_ number: Double) {
    if let integer = Int64(exactly: number), integer.magnitude < 1 << 53 {
      write(integer)
    } else if number.isFinite {
      var text = number.description
      text.withUTF8 { write($0) }
    } else {
      write(literal: "null")
    }
  }

  /// Writes a whole number.
  mutating func write(_ integer: Int64) {
    if integer < 0 { write(byte: UInt8(ascii: "-")) }
    var digits = 1
    var power: UInt64 = 10
    while digits < 19, integer.magnitude >= power {
      digits &+= 1
      power = power &* 10
    }
    precondition(memory.count - count >= digits)
    guard let start = memory.baseAddress else { return }
    var rest = integer.magnitude
    var end = count &+ digits
    while rest >= 10 {
      let pair = Int(truncatingIfNeeded: rest % 100) &* 2
      rest /= 100
      end &-= 2
      start[end] = Self.pairs.utf8Start[pair]
      start[end &+ 1] = Self.pairs.utf8Start[pair &+ 1]
    }
    if end > count { start[count] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest) }
    count += digits
  }

  /// The numbers from 00 to 99, two digits each.
  private static var pairs: StaticString {
    """
    00010203040506070809101112131415161718192021222324252627282930313233343536373839\
    40414243444546474849505152535455565758596061626364656667686970717273747576777879\
    8081828384858687888990919293949596979899
    """
  }

  @inline(__always)
  private mutating func write(byte: UInt8) {
    precondition(count < memory.count)
    memory[count] = byte
    count += 1
  }

  @inline(__always)
  private mutating func write(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let source = bytes.baseAddress, let start = memory.baseAddress else { return }
    precondition(memory.count - count >= bytes.count)
    memcpy(start + count, source, bytes.count)
    count += bytes.count
  }

  private mutating func writeEscape(of byte: UInt8) {
    write(byte: UInt8(ascii: "\\"))
    switch byte {
    case 0x22, 0x5C: write(byte: byte)
    case 0x08: write(byte: UInt8(ascii: "b"))
    case 0x09: write(byte: UInt8(ascii: "t"))
    case 0x0A: write(byte: UInt8(ascii: "n"))
    case 0x0C: write(byte: UInt8(ascii: "f"))
    case 0x0D: write(byte: UInt8(ascii: "r"))
    default:
      let digits: StaticString = "0123456789abcdef"
      write(literal: "u00")
      write(byte: digits.utf8Start[Int(byte >> 4)])
      write(byte: digits.utf8Start[Int(byte & 15)])
    }
  }
}

/// The open arrays and objects of a reader: one bit for each level.
struct JSONNesting {
  /// How many levels are open.
  private(set) var depth = 0
  /// The up to 64 innermost levels. The lowest bit is the innermost one; a set bit is an object.
  private var levels: UInt64 = 0
  /// The outer levels, in full words.
  private var outer: [UInt64] = []

  /// Whether the innermost level is an object.
  var isInObject: Bool { levels & 1 == 1 }

  /// Enters an array or an object.
  @inline(__always)
  mutating func enter(isObject: Bool) {
    if depth > 0, depth & 63 == 0 { outer.append(levels) }
    levels = levels << 1 | (isObject ? 1 : 0)
    depth &+= 1
  }

  /// Leaves the innermost level. At least one must be open.
  @inline(__always)
  mutating func leave() {
    depth &-= 1
    levels >>= 1
    if depth > 0, depth & 63 == 0 { levels = outer.removeLast() }
  }
}

/// Why bytes are not valid JSON, or not the expected JSON.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong, such as `expected a string`. ``description`` adds the position.
  public let reason: String
  /// The position, in bytes from the start.
  public let offset: Int

  /// Creates an error.
  public init(_ reason: String, offset: Int) {
    self.reason = reason
    self.offset = offset
  }

  /// The reason and the position, such as `expected a string at byte 11`.
  public var description: String { "\(reason) at byte \(offset)" }

  /// The reason, and the line and column in the text of a file, such as `expected a string in line 3, column 7`. Columns count characters.
  package func description(in bytes: some BidirectionalCollection<UInt8>) -> String {
    let before = bytes.prefix(offset)
    let line = before.count { $0 == UInt8(ascii: "\n") } + 1
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { before.index(after: $0) } ?? before.startIndex
    // Bytes that continue a character of UTF-8 do not count.
    let column = before[start...].count { $0 & 0xC0 != 0x80 } + 1
    return "\(reason) in line \(line), column \(column)"
  }
}

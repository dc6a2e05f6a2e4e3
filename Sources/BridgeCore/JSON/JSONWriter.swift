/// Writes JSON text into a buffer that can go out as it is.
public struct JSONWriter: Sendable {
  /// What has been written.
  public var bytes: [UInt8]

  /// Creates a writer that appends to `bytes`.
  public init(appendingTo bytes: [UInt8] = []) {
    self.bytes = bytes
  }

  /// Writes a value; members sorted by name, so that the same value always gives the same text.
  public mutating func write(_ value: JSONValue) {
    switch value {
    case .string(let string): write(string)
    case .number(let number): write(number)
    case .bool(let bool): write(literal: bool ? "true" : "false")
    case .null: write(literal: "null")
    case .object(let members): write(members)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        write(element)
      }
      bytes.append(UInt8(ascii: "]"))
    }
  }

  /// Writes an object.
  public mutating func write(_ members: [String: JSONValue]) {
    bytes.append(UInt8(ascii: "{"))
    for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      write(member.key)
      bytes.append(UInt8(ascii: ":"))
      write(member.value)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  /// Writes a string with its quotation marks.
  public mutating func write(_ string: String) {
    bytes.append(UInt8(ascii: "\""))
    var string = string
    string.withUTF8 { text in
      var start = 0
      var index = JSONPlainText.end(in: text, from: 0)
      while index < text.count {
        if text[index] < 0x80 {
          bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
          writeEscape(of: text[index])
          start = index + 1
        }
        index = JSONPlainText.end(in: text, from: index + 1)
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes a number: whole ones without fraction or exponent, others in the shortest form that reads back the same. JSON has no
  /// infinities and no NaN: they become `null`, as in `JSON.stringify`.
  public mutating func write(_ number: Double) {
    if let integer = Int64(exactly: number), integer.magnitude < 1 << 53 {
      write(integer)
    } else if number.isFinite {
      bytes.append(contentsOf: number.description.utf8)
    } else {
      write(literal: "null")
    }
  }

  /// Writes a whole number.
  public mutating func write(_ integer: Int64) {
    let longest = 20
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: longest) { digits in
      var start = longest
      var rest = integer.magnitude
      repeat {
        start -= 1
        digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      if integer < 0 {
        start -= 1
        digits[start] = UInt8(ascii: "-")
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
    }
  }

  /// Writes text that is JSON already.
  public mutating func write(literal: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  /// Writes bytes that are JSON already.
  public mutating func write(json: some Collection<UInt8>) {
    bytes.append(contentsOf: json)
  }

  private mutating func writeEscape(of byte: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x22, 0x5C: bytes.append(byte)
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    default:
      let digits: StaticString = "0123456789abcdef"
      bytes.append(contentsOf: [UInt8(ascii: "u"), UInt8(ascii: "0"), UInt8(ascii: "0")])
      bytes.append(digits.utf8Start[Int(byte >> 4)])
      bytes.append(digits.utf8Start[Int(byte & 15)])
    }
  }
}

/// One range of a `Range: bytes=…` field (RFC 9110, section 14.1.2).
public enum ByteRange: Sendable, Hashable {
  /// From the first position through the last one, which is included. Positions count from 0; nil is the end.
  case from(Int, through: Int?)
  /// The last bytes; the value is their number.
  case suffix(Int)

  /// The maximum number of ranges in one field. A field with more is ignored, as RFC 9110, section 14.2, allows: with
  /// many overlapping ranges, a small request makes a server send much data.
  public static let maximumCount = 32

  /// Parses the field's value.
  /// - Returns: At least one range, in order. Nil when the field must be ignored: it is malformed, has another unit
  ///   than bytes, or has too many ranges.
  public static func parse(_ value: String) -> [ByteRange]? {
    let bytes = Array(value.utf8)
    guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")),
      String(decoding: bytes[..<equals], as: UTF8.self).asciiLowercased == "bytes"
    else { return nil }
    var ranges: [ByteRange] = []
    for element in bytes[(equals + 1)...].split(separator: .comma) {
      let text = element.trimmingWhitespace
      if text.isEmpty { continue }
      guard ranges.count < maximumCount, let range = ByteRange(parsing: text) else { return nil }
      ranges.append(range)
    }
    return ranges.isEmpty ? nil : ranges
  }

  /// The bytes that the range selects; nil when it selects none. If no range selects any, answer with 416 (RFC 9110,
  /// section 15.5.17).
  /// - Parameter length: The size of the whole representation, in bytes.
  public func resolved(in length: Int) -> Range<Int>? {
    switch self {
    case .from(let first, let last):
      guard first < length else { return nil }
      guard let last, last < length else { return first..<length }
      return first..<(last + 1)
    case .suffix(let count):
      guard count > 0, length > 0 else { return nil }
      return max(0, length - count)..<length
    }
  }

  private init?(parsing text: ArraySlice<UInt8>) {
    guard let dash = text.firstIndex(of: UInt8(ascii: "-")) else { return nil }
    let (firstDigits, lastDigits) = (text[..<dash], text[(dash + 1)...])
    guard firstDigits.allSatisfy(\.isDigit), lastDigits.allSatisfy(\.isDigit) else { return nil }
    if firstDigits.isEmpty {
      guard !lastDigits.isEmpty else { return nil }
      self = .suffix(Self.number(lastDigits))
    } else {
      let first = Self.number(firstDigits)
      let last = lastDigits.isEmpty ? nil : Self.number(lastDigits)
      if let last, last < first { return nil }
      self = .from(first, through: last)
    }
  }

  /// Clamps a number that is too large for an `Int`: it is beyond the end of any representation in any case.
  private static func number(_ digits: ArraySlice<UInt8>) -> Int {
    Int(String(decoding: digits, as: UTF8.self)) ?? .max
  }
}

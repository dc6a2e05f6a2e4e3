/// One range of a `Range: bytes=…` field (RFC 9110, section 14.1.2).
public enum ByteRange: Sendable, Hashable {
  /// From a byte, counted from 0, to another one inclusive, or to the end.
  case from(Int, through: Int?)
  /// The last so many bytes.
  case suffix(Int)

  /// The most ranges that are taken from one field: more are not worth the work, and overlapping ones are a way to
  /// make a server send much for little (RFC 9110, section 14.2, lets it ignore such a field).
  public static let maximumCount = 32

  /// Reads the field's value.
  /// - Returns: the ranges in their order, at least one; nil when the field is to be ignored, as it is malformed,
  ///   counts in another unit than bytes, or has too many ranges.
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

  /// The bytes that the range selects, or nil when it selects none: 416 when that is so of every range (RFC 9110,
  /// section 15.5.17).
  /// - Parameter length: the size of the whole representation, in bytes.
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

  /// A number that is too large for an integer lies behind the end of everything, as the largest integer does.
  private static func number(_ digits: ArraySlice<UInt8>) -> Int {
    Int(String(decoding: digits, as: UTF8.self)) ?? .max
  }
}

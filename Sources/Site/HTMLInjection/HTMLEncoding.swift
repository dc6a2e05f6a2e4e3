/// How to read ASCII markup from the bytes of an HTML document. Of the encodings in the Encoding Standard, only UTF-16
/// has other bytes for it.
enum HTMLEncoding {
  /// One byte for each code unit.
  case asciiCompatible
  /// Two bytes for each code unit, the low one first.
  case utf16LittleEndian
  /// Two bytes for each code unit, the high one first.
  case utf16BigEndian

  /// The size of a code unit, in bytes.
  var unitByteCount: Int { self == .asciiCompatible ? 1 : 2 }

  /// Determines the encoding from the byte order mark, from `Content-Type`, or from an XML declaration, in this order
  /// (HTML Standard, section 13.2.3.2). Like the standard, ignores a `meta` element that names UTF-16.
  /// - Parameters:
  ///   - bytes: The document's first bytes.
  ///   - contentType: The document's `Content-Type`.
  ///   - isComplete: Whether there are no more bytes.
  /// - Returns: The encoding and the size of the byte order mark in bytes; nil if more bytes are needed.
  static func sniff(_ bytes: some RandomAccessCollection<UInt8>, contentType: String, isComplete: Bool)
    -> (encoding: HTMLEncoding, markByteCount: Int)?
  {
    for (mark, encoding) in marks where bytes.starts(with: mark) { return (encoding, mark.count) }
    let mayBecomeMark = marks.contains { bytes.count < $0.mark.count && $0.mark.starts(with: bytes) }
    if mayBecomeMark, !isComplete { return nil }
    switch charset(in: contentType) {
    case "utf-16", "utf-16le", "unicode", "ucs-2", "iso-10646-ucs-2", "csunicode", "unicodefeff":
      return (.utf16LittleEndian, 0)
    case "utf-16be", "unicodefffe": return (.utf16BigEndian, 0)
    default: break
    }
    for (start, encoding) in declarations {
      if bytes.starts(with: start) { return (encoding, 0) }
      if bytes.count > 1, bytes.count < start.count, start.starts(with: bytes), !isComplete { return nil }
    }
    return (.asciiCompatible, 0)
  }

  /// Encodes ASCII text.
  func encode(_ text: some Collection<UInt8>) -> [UInt8] {
    switch self {
    case .asciiCompatible: Array(text)
    case .utf16LittleEndian: text.flatMap { [$0, 0] }
    case .utf16BigEndian: text.flatMap { [0, $0] }
    }
  }

  /// Encodes one code unit.
  func bytes(of unit: UInt16) -> [UInt8] {
    let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
    return switch self {
    case .asciiCompatible: [low]
    case .utf16LittleEndian: [low, high]
    case .utf16BigEndian: [high, low]
    }
  }

  /// Decodes the code unit at `offset`.
  func unit(in bytes: [UInt8], at offset: Int) -> UInt16 {
    switch self {
    case .asciiCompatible: UInt16(bytes[offset])
    case .utf16LittleEndian: UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8
    case .utf16BigEndian: UInt16(bytes[offset]) << 8 | UInt16(bytes[offset + 1])
    }
  }

  private static let marks: [(mark: [UInt8], encoding: HTMLEncoding)] = [
    ([0xEF, 0xBB, 0xBF], .asciiCompatible), ([0xFF, 0xFE], .utf16LittleEndian), ([0xFE, 0xFF], .utf16BigEndian),
  ]

  /// The beginnings of an XML declaration without a byte order mark.
  private static let declarations: [(start: [UInt8], encoding: HTMLEncoding)] = [
    ([0x3C, 0, 0x3F, 0, 0x78, 0], .utf16LittleEndian), ([0, 0x3C, 0, 0x3F, 0, 0x78], .utf16BigEndian),
  ]

  /// The `charset` of a `Content-Type`, in lower case; nil if there is none.
  static func charset(in contentType: String) -> String? {
    guard contentType.utf8.contains(UInt8(ascii: ";")) else { return nil }
    for parameter in contentType.split(separator: ";").dropFirst() {
      let parts = parameter.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, parts[0].trimmingPrefix(while: \.isWhitespace).lowercased() == "charset" else { continue }
      return parts[1].lowercased().filter { !"\"' ".contains($0) }
    }
    return nil
  }
}

/// How an HTML document's bytes become the letters that its markup is made of. Every encoding that the Encoding Standard has besides these
/// writes ASCII as ASCII.
enum HTMLEncoding {
  /// One byte each.
  case asciiCompatible
  /// Two bytes each, the low one first.
  case utf16LittleEndian
  /// Two bytes each, the high one first.
  case utf16BigEndian

  /// How many bytes one code unit has.
  var unitByteCount: Int { self == .asciiCompatible ? 1 : 2 }

  /// Tells the encoding by the document's first bytes, or else by its `Content-Type` (HTML Standard, section 13.2.3.2). A `meta` element
  /// that names UTF-16 is not believed, there or here.
  /// - Returns: the encoding and how many bytes its mark takes; nil when fewer bytes are there than are needed to tell.
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

  /// Text of ASCII in the encoding.
  func encode(_ text: String) -> [UInt8] {
    switch self {
    case .asciiCompatible: Array(text.utf8)
    case .utf16LittleEndian: text.utf8.flatMap { [$0, 0] }
    case .utf16BigEndian: text.utf8.flatMap { [0, $0] }
    }
  }

  /// The bytes of one code unit.
  func bytes(of unit: UInt16) -> [UInt8] {
    let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
    return switch self {
    case .asciiCompatible: [low]
    case .utf16LittleEndian: [low, high]
    case .utf16BigEndian: [high, low]
    }
  }

  /// The code unit whose bytes stand at `offset`.
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

  /// The beginnings of an XML declaration without a mark.
  private static let declarations: [(start: [UInt8], encoding: HTMLEncoding)] = [
    ([0x3C, 0, 0x3F, 0, 0x78, 0], .utf16LittleEndian), ([0, 0x3C, 0, 0x3F, 0, 0x78], .utf16BigEndian),
  ]

  private static func charset(in contentType: String) -> String? {
    guard contentType.utf8.contains(UInt8(ascii: ";")) else { return nil }
    for parameter in contentType.split(separator: ";").dropFirst() {
      let parts = parameter.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, parts[0].trimmingPrefix(while: \.isWhitespace).lowercased() == "charset" else { continue }
      return parts[1].lowercased().filter { !"\"' ".contains($0) }
    }
    return nil
  }
}

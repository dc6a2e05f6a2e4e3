import HTTPTypes

/// Reads field lines up to the empty line that ends them: the fields of a head or the trailers of a body (RFC 9112,
/// section 5).
struct FieldSectionParser: Sendable {
  /// The fields so far.
  private(set) var fields = HTTPFields()
  private var remainingBytes: Int
  private var remainingFields: Int
  private let excess: MessageDefect

  /// Creates a parser that has read nothing.
  /// - Parameters:
  ///   - maximumBytes: the most bytes that the section may have, every CRLF and the closing empty line included.
  ///   - maximumFields: the most field lines.
  ///   - excess: what to throw when there are more bytes.
  init(maximumBytes: Int, maximumFields: Int, excess: MessageDefect) {
    remainingBytes = maximumBytes
    // HTTPFields traps when it gets more.
    remainingFields = min(maximumFields, Int(UInt16.max) - 1)
    self.excess = excess
  }

  /// Reads on; returns the fields when the section is complete.
  mutating func next(from input: inout InputBuffer) throws(MessageDefect) -> HTTPFields? {
    while let line = try input.takeLine(of: .fieldContent, maximum: remainingBytes - 2, orThrow: excess) {
      remainingBytes -= line.count + 2
      if line.isEmpty { return fields }
      guard remainingFields > 0 else { throw .tooManyFields }
      remainingFields -= 1
      fields.append(try HTTPField(parsingLine: line))
    }
    return nil
  }
}

extension HTTPField {
  /// Reads `name: value`, the name's spelling and the value's bytes kept.
  init(parsingLine line: ArraySlice<UInt8>) throws(MessageDefect) {
    if let first = line.first, first.isWhitespace { throw .foldedField }
    guard let colon = line.firstIndex(of: .colon) else { throw .missingColon }
    let nameBytes = line[..<colon]
    if let last = nameBytes.last, last.isWhitespace { throw .whitespaceBeforeColon }
    guard nameBytes.allSatisfy(\.isToken), let name = HTTPField.Name(String(decoding: nameBytes, as: UTF8.self)) else {
      throw .invalidFieldName
    }
    self.init(name: name, value: line[(colon + 1)...].trimmingWhitespace)
  }
}

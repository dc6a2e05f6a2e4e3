package import HTTPTypes

/// Parses a field section: the fields of a head, or trailers, with the empty line that ends them (RFC 9112, section 5).
///
/// Most heads on a connection repeat fields of the previous head. A line that equals the previous head's line at the
/// same position is not parsed again. A head that repeats all of it does not come here (``HeadMemory``).
struct FieldSectionParser: Sendable {
  /// The fields of the previous section on the connection.
  private let earlier: HTTPFields
  /// How many fields at the beginning of this section repeat the earlier ones.
  private var repeatedCount = 0
  /// The fields so far; empty while all of them repeat earlier ones.
  private var fields: [HTTPField] = []
  private var remainingBytes: Int
  private var remainingFields: Int
  private let excess: MessageDefect

  /// Creates a parser.
  /// - Parameters:
  ///   - maximumBytes: The largest size of the section in bytes, with every CRLF and the closing empty line.
  ///   - maximumFields: The most field lines.
  ///   - excess: The error for more bytes.
  ///   - earlier: The fields of the previous section on the connection.
  init(maximumBytes: Int, maximumFields: Int, excess: MessageDefect, earlier: HTTPFields = HTTPFields()) {
    self.earlier = earlier
    remainingBytes = maximumBytes
    // `HTTPFields` traps on more fields than this.
    remainingFields = min(maximumFields, Int(UInt16.max) - 1)
    self.excess = excess
  }

  /// Reads on. Returns the fields when the section is complete; nil when it needs more bytes.
  mutating func next(from input: inout InputBuffer) throws(MessageDefect) -> HTTPFields? {
    while let line = try input.takeLine(of: .fieldContent, maximum: remainingBytes - 2, orThrow: excess) {
      remainingBytes -= line.count + 2
      if line.isEmpty { return complete }
      guard remainingFields > 0 else { throw .tooManyFields }
      remainingFields -= 1
      let place = fields.isEmpty ? repeatedCount : fields.count
      if place < earlier.count, earlier[place].isRead(from: line) {
        if fields.isEmpty { repeatedCount += 1 } else { fields.append(earlier[place]) }
      } else {
        if fields.isEmpty { fields = Array(earlier[..<repeatedCount]) }
        try append(line, &input)
      }
    }
    return nil
  }

  private mutating func append(_ line: ArraySlice<UInt8>, _ input: inout InputBuffer) throws(MessageDefect) {
    do throws(MessageDefect) {
      fields.append(try HTTPField(parsingLine: line))
    } catch {
      switch error {
      case .foldedField where !fields.isEmpty:
        try input.mend(error)
        // RFC 9112, section 5.2: replace each fold with a space.
        let last = fields.removeLast()
        let value = last.valueBytes + [.space] + line.trimmingWhitespace
        fields.append(HTTPField(name: last.name, value: value.trimmingWhitespace))
      case .whitespaceBeforeColon:
        // RFC 9112, section 5.1: a proxy removes this white space from responses.
        try input.mend(error)
        guard let colon = line.firstIndex(of: .colon) else { throw error }
        let name = line[..<colon].trimmingWhitespace
        fields.append(try HTTPField(parsingLine: name + line[colon...]))
      default: throw error
      }
    }
  }

  private var complete: HTTPFields {
    if !fields.isEmpty { return HTTPFields(inOrder: fields) }
    return repeatedCount == earlier.count ? earlier : HTTPFields(inOrder: Array(earlier[..<repeatedCount]))
  }
}

extension HTTPField {
  /// Parses `name: value`. Keeps the spelling of the name and the bytes of the value.
  init(parsingLine line: ArraySlice<UInt8>) throws(MessageDefect) {
    if let first = line.first, first.isWhitespace { throw .foldedField }
    guard let colon = line.firstIndex(of: .colon) else { throw .missingColon }
    let nameBytes = line[..<colon]
    if let last = nameBytes.last, last.isWhitespace { throw .whitespaceBeforeColon }
    guard nameBytes.allSatisfy(\.isToken), let name = HTTPField.Name(String(decoding: nameBytes, as: UTF8.self)) else {
      throw .invalidFieldName
    }
    self.init(name: name, bytes: line[(colon + 1)...])
  }

  /// Creates a field from the bytes of its value, and removes white space at both ends. A field value must be allowed
  /// to contain all of them.
  package init(name: HTTPField.Name, bytes: ArraySlice<UInt8>) {
    let value = bytes.trimmingWhitespace
    if value.allSatisfy({ $0 < 0x80 }) {
      // ASCII needs no check for valid UTF-8.
      self.init(name: name, value: String(decoding: value, as: UTF8.self))
    } else {
      self.init(name: name, value: value)
    }
  }

  /// Whether `init(parsingLine:)` would make an equal field from a line, with the same spelling of the name.
  fileprivate func isRead(from line: ArraySlice<UInt8>) -> Bool {
    let nameBytes = name.rawName.utf8
    guard let colon = line.index(line.startIndex, offsetBy: nameBytes.count, limitedBy: line.endIndex),
      colon < line.endIndex, line[colon] == .colon,
      line[..<colon].elementsEqual(nameBytes)
    else { return false }
    let value = line[(colon + 1)...].trimmingWhitespace
    return withUnsafeBytesOfValue { value.elementsEqual($0) }
  }
}

import HTTPTypes

/// Reads field lines up to the empty line that ends them: the fields of a head or the trailers of a body (RFC 9112,
/// section 5).
///
/// Most heads on a connection say the same as the one before: a line that is the same as the one in its place there is
/// not read again.
struct FieldSectionParser: Sendable {
  /// The fields of the section before on the connection.
  private let earlier: HTTPFields
  /// How many of them the section begins with.
  private var repeatedCount = 0
  /// The fields so far, once there is one that is not among them.
  private var fields: [HTTPField] = []
  private var remainingBytes: Int
  private var remainingFields: Int
  private let excess: MessageDefect

  /// Creates a parser that has read nothing.
  /// - Parameters:
  ///   - maximumBytes: the most bytes that the section may have, every CRLF and the closing empty line included.
  ///   - maximumFields: the most field lines.
  ///   - excess: what to throw when there are more bytes.
  ///   - earlier: the fields of the section before on the connection.
  init(maximumBytes: Int, maximumFields: Int, excess: MessageDefect, earlier: HTTPFields = HTTPFields()) {
    self.earlier = earlier
    remainingBytes = maximumBytes
    // HTTPFields traps when it gets more.
    remainingFields = min(maximumFields, Int(UInt16.max) - 1)
    self.excess = excess
  }

  /// Reads on; returns the fields when the section is complete.
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
        fields.append(try HTTPField(parsingLine: line))
      }
    }
    return nil
  }

  private var complete: HTTPFields {
    if !fields.isEmpty { return HTTPFields(inOrder: fields) }
    return repeatedCount == earlier.count ? earlier : HTTPFields(inOrder: Array(earlier[..<repeatedCount]))
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
    let value = line[(colon + 1)...].trimmingWhitespace
    if value.allSatisfy({ $0 < 0x80 }) {
      // What is a text for sure need not be tried as one.
      self.init(name: name, value: String(decoding: value, as: UTF8.self))
    } else {
      self.init(name: name, value: value)
    }
  }

  /// Whether reading a line would give this very field: the name in its spelling, the value's bytes.
  fileprivate func isRead(from line: ArraySlice<UInt8>) -> Bool {
    let nameBytes = name.rawName.utf8
    guard let colon = line.index(line.startIndex, offsetBy: nameBytes.count, limitedBy: line.endIndex),
      colon < line.endIndex, line[colon] == .colon,
      nameBytes.withContiguousStorageIfAvailable({ line[..<colon].isEqual(to: $0) }) ?? false
    else { return false }
    let value = line[(colon + 1)...].trimmingWhitespace
    return withUnsafeBytesOfValue { value.isEqual(to: $0) }
  }
}

extension ArraySlice<UInt8> {
  /// `elementsEqual`, which takes twice as long over iterators.
  fileprivate func isEqual(to other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count else { return false }
    var index = startIndex
    for byte in other {
      if self[index] != byte { return false }
      index += 1
    }
    return true
  }
}

package import HTTPTypes

extension ArraySlice<UInt8> {
  /// The bytes without spaces and tabs at either end.
  package var trimmingSpaces: ArraySlice<UInt8> {
    func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    guard let last = lastIndex(where: { !isSpace($0) }) else { return [] }
    return self[...last].drop(while: isSpace)
  }
}

extension HTTPField {
  /// The value's bytes.
  package var valueBytes: [UInt8] { withUnsafeBytesOfValue { Array($0) } }
}

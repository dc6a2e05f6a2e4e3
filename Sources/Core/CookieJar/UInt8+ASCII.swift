extension UInt8 {
  /// Whether this is `0` to `9`.
  var isASCIIDigit: Bool { (0x30...0x39).contains(self) }

  /// Whether this is `0` to `9`, `a` to `f` or `A` to `F`.
  var isASCIIHexadecimalDigit: Bool { isASCIIDigit || (0x61...0x66).contains(asciiLowercased) }

  /// The byte, with a letter in lower case.
  var asciiLowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }

  /// Whether this is a control character that no cookie may contain: any but the tab (RFC 6265bis, section 5.6).
  var isForbiddenControl: Bool { (self < 0x20 && self != 0x09) || self == 0x7F }

  /// Whether this is a space or a tab.
  var isBlank: Bool { self == 0x20 || self == 0x09 }
}

extension Collection<UInt8> {
  /// Whether the bytes equal `text`, ignoring ASCII case. `text` is in lower case.
  func equalsIgnoringCase(_ text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount && startsIgnoringCase(text)
  }

  /// Whether the bytes begin with `text`, ignoring ASCII case. `text` is in lower case.
  package func startsIgnoringCase(_ text: StaticString) -> Bool {
    let prefix = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    return lazy.map(\.asciiLowercased).starts(with: prefix)
  }
}

extension BidirectionalCollection<UInt8> {
  /// The bytes without spaces and tabs at both ends.
  var trimmingBlanks: SubSequence {
    let start = firstIndex { !$0.isBlank } ?? endIndex
    let end = lastIndex { !$0.isBlank }.map { index(after: $0) } ?? start
    return self[start..<end]
  }
}

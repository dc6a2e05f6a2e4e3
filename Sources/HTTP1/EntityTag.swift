/// An entity tag (RFC 9110, section 8.8.3).
public struct EntityTag: Sendable, Hashable, CustomStringConvertible {
  /// What stands between the quotes.
  public let opaqueTag: String

  /// Whether the tag is weak (`W/`): equal for representations that may differ in their bytes.
  public let isWeak: Bool

  /// Creates a tag; nil when the text holds a quote, a space or a control byte.
  public init?(opaqueTag: String, isWeak: Bool = false) {
    guard opaqueTag.utf8.allSatisfy(\.isEntityTag) else { return nil }
    self.opaqueTag = opaqueTag
    self.isWeak = isWeak
  }

  /// Reads `"…"` or `W/"…"`; nil for everything else.
  public init?(_ text: String) {
    guard let (tag, rest) = Self.parsePrefix(of: Array(text.utf8)[...]), rest.isEmpty else { return nil }
    self = tag
  }

  /// Reads the tag at the beginning.
  static func parsePrefix(of bytes: ArraySlice<UInt8>) -> (tag: EntityTag, rest: ArraySlice<UInt8>)? {
    let isWeak = bytes.starts(with: "W/".utf8)
    let quoted = isWeak ? bytes.dropFirst(2) : bytes
    guard quoted.first == .doubleQuote, let end = quoted.dropFirst().firstIndex(of: .doubleQuote),
      let tag = EntityTag(
        opaqueTag: String(decoding: quoted[(quoted.startIndex + 1)..<end], as: UTF8.self), isWeak: isWeak)
    else { return nil }
    return (tag, quoted[(end + 1)...])
  }

  /// Whether both stand for the same bytes: equal, and neither of them weak (RFC 9110, section 8.8.3.2).
  public func stronglyMatches(_ other: EntityTag) -> Bool {
    !isWeak && !other.isWeak && weaklyMatches(other)
  }

  /// Whether both stand for equivalent representations: equal, weak or not.
  public func weaklyMatches(_ other: EntityTag) -> Bool {
    // Byte by byte: strings that Unicode holds equal may differ here.
    opaqueTag.utf8.elementsEqual(other.opaqueTag.utf8)
  }

  /// The tag as it is sent.
  public var description: String { "\(isWeak ? "W/" : "")\"\(opaqueTag)\"" }
}

extension UInt8 {
  fileprivate var isEntityTag: Bool { self == 0x21 || (self >= 0x23 && self <= 0x7E) || self >= 0x80 }
}

import HTTPTypes

/// An entity tag (RFC 9110, section 8.8.3).
public struct EntityTag: Sendable, Hashable, CustomStringConvertible {
  /// The text between the quotes.
  public let opaqueTag: String

  /// Whether the tag is weak (`W/`): representations with equal weak tags may differ in their bytes.
  public let isWeak: Bool

  /// Creates a tag; nil when the text contains a double quote, a space or a control byte.
  public init?(opaqueTag: String, isWeak: Bool = false) {
    guard opaqueTag.utf8.allSatisfy(\.isEntityTag) else { return nil }
    self.opaqueTag = opaqueTag
    self.isWeak = isWeak
  }

  /// Parses `"…"` or `W/"…"`; nil for anything else.
  public init?(_ text: String) {
    guard let (tag, rest) = Self.parsePrefix(of: Array(text.utf8)[...]), rest.isEmpty else { return nil }
    self = tag
  }

  /// Parses a tag at the beginning of the bytes. Returns it with the bytes after it; nil when there is none.
  static func parsePrefix(of bytes: ArraySlice<UInt8>) -> (tag: EntityTag, rest: ArraySlice<UInt8>)? {
    let isWeak = bytes.starts(with: "W/".utf8)
    let quoted = isWeak ? bytes.dropFirst(2) : bytes
    guard quoted.first == .doubleQuote, let end = quoted.dropFirst().firstIndex(of: .doubleQuote),
      let tag = EntityTag(
        opaqueTag: String(decoding: quoted[(quoted.startIndex + 1)..<end], as: UTF8.self), isWeak: isWeak)
    else { return nil }
    return (tag, quoted[(end + 1)...])
  }

  /// Compares strongly: the tags are equal, and neither is weak (RFC 9110, section 8.8.3.2).
  public func stronglyMatches(_ other: EntityTag) -> Bool {
    !isWeak && !other.isWeak && weaklyMatches(other)
  }

  /// Compares weakly: the tags are equal, weak or not (RFC 9110, section 8.8.3.2).
  public func weaklyMatches(_ other: EntityTag) -> Bool {
    // Compares bytes, since Swift's `==` treats canonically equivalent strings as equal.
    opaqueTag.utf8.elementsEqual(other.opaqueTag.utf8)
  }

  /// The tag as it is sent.
  public var description: String { "\(isWeak ? "W/" : "")\"\(opaqueTag)\"" }
}

extension UInt8 {
  fileprivate var isEntityTag: Bool { self == 0x21 || (self >= 0x23 && self <= 0x7E) || self >= 0x80 }
}

/// The value of `If-Match` or `If-None-Match`: `*` or a list of tags (RFC 9110, section 13.1).
enum EntityTagList: Equatable {
  /// `*`
  case any
  case tags([EntityTag])

  /// Parses all lines of the field as one list. A malformed list becomes an empty one, which nothing matches.
  /// - Returns: Nil when the field is absent.
  init?(_ name: HTTPField.Name, in fields: HTTPFields) {
    let values = fields[values: name]
    guard !values.isEmpty else { return nil }
    self = values == ["*"] ? .any : .tags(Self.parse(values.joined(separator: ",")) ?? [])
  }

  private static func parse(_ text: String) -> [EntityTag]? {
    var rest = Array(text.utf8)[...]
    var tags: [EntityTag] = []
    while true {
      rest = rest.drop { $0.isWhitespace || $0 == .comma }
      if rest.isEmpty { return tags }
      guard let (tag, afterTag) = EntityTag.parsePrefix(of: rest) else { return nil }
      tags.append(tag)
      rest = afterTag.drop(while: \.isWhitespace)
      guard rest.isEmpty || rest.first == .comma else { return nil }
    }
  }
}

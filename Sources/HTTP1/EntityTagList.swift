import HTTPTypes

/// The value of `If-Match` or `If-None-Match`: `*` or a list of tags (RFC 9110, section 13.1).
enum EntityTagList: Equatable {
  /// `*`
  case any
  case tags([EntityTag])

  /// Parses all lines of the field as one list. A malformed list is empty, so that nothing matches it.
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

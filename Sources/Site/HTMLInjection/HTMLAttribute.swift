/// An attribute of a tag, as the HTML Standard's tokenizer reads it (section 13.2.5.32 and following).
struct HTMLAttribute: Equatable {
  /// The name, in lower case.
  let name: [UInt16]
  /// The range of the value in the tag, without its quotes.
  let value: Range<Int>
  /// The quote around the value; nil without quotes.
  let quote: UInt16?

  /// Parses the attributes of a whole start tag, from its `<` to its `>`. Of several with the same name, the first
  /// counts.
  static func all(of tag: [UInt16]) -> [HTMLAttribute] {
    var attributes: [HTMLAttribute] = []
    let end = tag.count - 1
    var index = 1
    func skip(while condition: (UInt16) -> Bool) {
      while index < end, condition(tag[index]) { index += 1 }
    }
    skip { !$0.isHTMLSpace && $0 != .slash }
    while true {
      skip { $0.isHTMLSpace || $0 == .slash }
      guard index < end else { return attributes }
      let start = index
      // An equals sign at the beginning is the first character of the name.
      index += 1
      skip { !$0.isHTMLSpace && $0 != .slash && $0 != .equals }
      let name = tag[start..<index].map(\.asciiLowercased)
      skip(while: \.isHTMLSpace)
      var value = index..<index
      var quote: UInt16?
      if index < end, tag[index] == .equals {
        index += 1
        skip(while: \.isHTMLSpace)
        if index < end, tag[index] == .doubleQuote || tag[index] == .singleQuote {
          quote = tag[index]
          index += 1
        }
        let start = index
        skip { quote == nil ? !$0.isHTMLSpace : $0 != quote }
        value = start..<index
        if quote != nil, index < end { index += 1 }
      }
      if !attributes.contains(where: { $0.name == name }) {
        attributes.append(HTMLAttribute(name: name, value: value, quote: quote))
      }
    }
  }
}

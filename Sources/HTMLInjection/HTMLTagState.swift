/// The inside of a tag, from the end of its name to its `>`, as the HTML Standard's tokenizer reads it (section
/// 13.2.5). A `>` in a quoted value does not end the tag, and a quote elsewhere is an ordinary character.
struct HTMLTagState {
  private enum State {
    case beforeName
    case name
    case afterName
    case beforeValue
    case quoted(UInt16)
    case unquoted
  }

  private var state = State.beforeName
  /// Whether the tag ends with a slash, as in `<head/>`.
  private(set) var isSelfClosing = false

  /// Reads the next code unit; returns true when it ends the tag.
  mutating func reads(_ unit: UInt16) -> Bool {
    if case .quoted(let quote) = state {
      if unit == quote { state = .beforeName }
      return false
    }
    if unit == .greaterThan { return true }
    isSelfClosing = false
    switch (state, unit) {
    case (.beforeValue, .doubleQuote), (.beforeValue, .singleQuote): state = .quoted(unit)
    case (.beforeValue, _): if !unit.isHTMLSpace { state = .unquoted }
    case (.unquoted, _): if unit.isHTMLSpace { state = .beforeName }
    case (_, .slash):
      isSelfClosing = true
      state = .beforeName
    case (.beforeName, _), (.afterName, _):
      if unit.isHTMLSpace { break }
      // An equals sign at the beginning is the first character of the name.
      if case .afterName = state, unit == .equals { state = .beforeValue } else { state = .name }
    case (.name, .equals): state = .beforeValue
    case (.name, _): if unit.isHTMLSpace { state = .afterName }
    case (.quoted, _): break
    }
    return false
  }
}

extension UInt16 {
  static let greaterThan = UInt16(UInt8(ascii: ">"))
  static let lessThan = UInt16(UInt8(ascii: "<"))
  static let doubleQuote = UInt16(UInt8(ascii: "\""))
  static let singleQuote = UInt16(UInt8(ascii: "'"))
  static let slash = UInt16(UInt8(ascii: "/"))
  static let equals = UInt16(UInt8(ascii: "="))
  static let exclamationMark = UInt16(UInt8(ascii: "!"))
  static let questionMark = UInt16(UInt8(ascii: "?"))
  static let dash = UInt16(UInt8(ascii: "-"))

  /// HTML's white space: tab, line feed, form feed, carriage return and space.
  var isHTMLSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0C || self == 0x0D }

  /// A letter of ASCII.
  var isASCIILetter: Bool { (self | 0x20) >= 0x61 && (self | 0x20) <= 0x7A }

  /// The code unit, with the letters A to Z in lower case.
  var asciiLowercased: UInt16 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }
}

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

/// The inside of a comment, after its `<!--`, as the HTML Standard's tokenizer reads it. It ends at `-->` or `--!>`;
/// `<!-->` and `<!--->` are complete comments.
struct HTMLCommentState {
  private enum State {
    case start
    case startDash
    case text
    case endDash
    case end
    case endBang
  }

  private var state = State.start

  /// Reads the next code unit; returns true when it ends the comment.
  mutating func reads(_ unit: UInt16) -> Bool {
    switch (state, unit) {
    case (.start, .greaterThan), (.startDash, .greaterThan), (.end, .greaterThan), (.endBang, .greaterThan): return true
    case (.start, .dash): state = .startDash
    case (.startDash, .dash), (.endDash, .dash), (.end, .dash): state = .end
    case (.text, .dash), (.endBang, .dash): state = .endDash
    case (.end, .exclamationMark): state = .endBang
    default: state = .text
    }
    return false
  }
}

/// The inside of an element that contains only text, such as `<title>` or `<script>`, as the HTML Standard's tokenizer
/// reads it (section 13.2.5.2 and following). In a comment within a script, a nested script does not end the element.
struct HTMLRawTextState {
  private enum Escape {
    case none
    /// After `<!--` in a script.
    case comment
    /// After `<script` in such a comment.
    case scriptInComment
  }

  private let name: [UInt16]
  private let isScript: Bool
  private var escape = Escape.none
  /// The code units since the last `<`, in lower case; empty once they cannot become a relevant tag.
  private var recent: [UInt16] = []
  private var dashCount = 0

  private static let script = Array("script".utf16)
  private static let commentStart = Array("<!--".utf16)
  private static let scriptStart = Array("<script".utf16)

  /// Creates the state at the beginning of an element's text. `name` is the element's name in lower case.
  init(of name: [UInt16]) {
    self.name = name
    isScript = name == Self.script
  }

  /// Whether a code unit leaves the state unchanged, as most do.
  func isIndifferent(to unit: UInt16) -> Bool {
    recent.isEmpty && unit != .lessThan && escape == .none
  }

  /// Reads the next code unit; returns true when it ends the name of the element's end tag.
  mutating func reads(_ unit: UInt16) -> Bool {
    if isIndifferent(to: unit) { return false }
    let endsName = unit.isHTMLSpace || unit == .slash || unit == .greaterThan
    if endsName, recent == [.lessThan, .slash] + name {
      if escape != .scriptInComment { return true }
      escape = .comment
    }
    if isScript { readEscape(unit, endsName: endsName) }
    if unit == .lessThan {
      recent.removeAll(keepingCapacity: true)
      recent.append(unit)
    } else if endsName && !(recent == [.lessThan] && unit == .slash) || recent.count > name.count + 2 {
      // Nothing relevant is longer than the end tag.
      recent.removeAll(keepingCapacity: true)
    } else if !recent.isEmpty {
      recent.append(unit.asciiLowercased)
    }
    return false
  }

  private mutating func readEscape(_ unit: UInt16, endsName: Bool) {
    if escape == .none {
      if unit == .dash, recent + [unit] == Self.commentStart {
        escape = .comment
        dashCount = 2
      }
      return
    }
    if unit == .greaterThan, dashCount >= 2 {
      escape = .none
    } else if escape == .comment, endsName, recent == Self.scriptStart {
      escape = .scriptInComment
    }
    dashCount = unit == .dash ? dashCount + 1 : 0
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

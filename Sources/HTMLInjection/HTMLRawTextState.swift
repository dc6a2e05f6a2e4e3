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
  /// The code units since the last `<`, in lower case, as far as they are relevant.
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

  /// Whether a code unit does not change the state; most do not.
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

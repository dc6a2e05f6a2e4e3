/// Finds the place in an XHTML document at which to insert a script, so that it runs before all others and the document
/// stays well-formed. The place is after the start tag of the head, if the head is the root's first element; otherwise
/// after the root's start tag.
struct XHTMLHeadScanner {
  private enum State {
    /// Between tags.
    case text
    /// After `<`.
    case tagOpen
    /// After `<!`.
    case markup
    /// After `<!-`.
    case markupDash
    /// Within a comment.
    case comment(HTMLCommentState)
    /// Within a doctype, with this many open brackets, and within this quote.
    case doctype(depth: Int, quote: UInt16?)
    /// Within a processing instruction.
    case instruction(endsNext: Bool)
    /// Within a tag's name.
    case tagName
    /// Within a start tag.
    case tag(HTMLTagState)
  }

  private static let html = Array("html".utf16)
  private static let head = Array("head".utf16)

  private var state = State.text
  private var name: [UInt16] = []
  private var isInRoot = false

  /// Reads the next code unit.
  mutating func read(_ unit: UInt16) -> HTMLHeadScanner.Verdict {
    switch state {
    case .text:
      if unit == .lessThan {
        state = .tagOpen
      } else {
        // Within the root, the place is before any text, even a character reference. Before the root, there is none.
        return unit.isHTMLSpace || !isInRoot ? .passed : .insertBefore
      }
    case .tagOpen:
      switch unit {
      case .exclamationMark: state = .markup
      case .questionMark: state = .instruction(endsNext: false)
      case .slash: return .insertBefore
      default:
        name = [unit]
        state = .tagName
      }
    case .markup: state = unit == .dash ? .markupDash : .doctype(depth: 0, quote: nil)
    case .markupDash: state = .comment(HTMLCommentState())
    case .comment(var comment):
      if comment.reads(unit) { return pass() }
      state = .comment(comment)
    case .doctype(let depth, let quote): return readDoctype(unit, depth, quote)
    case .instruction(let endsNext):
      if endsNext, unit == .greaterThan { return pass() }
      state = .instruction(endsNext: unit == .questionMark)
    case .tagName:
      if unit.isHTMLSpace || unit == .slash || unit == .greaterThan { return readTag(unit, HTMLTagState()) }
      // The text before a colon is a namespace prefix.
      if unit == UInt16(UInt8(ascii: ":")) { name = [] } else if name.count <= 4 { name.append(unit) }
    case .tag(let tag): return readTag(unit, tag)
    }
    return .undecided
  }

  private mutating func readDoctype(_ unit: UInt16, _ depth: Int, _ quote: UInt16?) -> HTMLHeadScanner.Verdict {
    if let quote {
      state = .doctype(depth: depth, quote: unit == quote ? nil : quote)
      return .undecided
    }
    switch unit {
    case .doubleQuote, .singleQuote: state = .doctype(depth: depth, quote: unit)
    case UInt16(UInt8(ascii: "[")): state = .doctype(depth: depth + 1, quote: nil)
    case UInt16(UInt8(ascii: "]")): state = .doctype(depth: depth - 1, quote: nil)
    case .greaterThan where depth == 0: return pass()
    default: break
    }
    return .undecided
  }

  private mutating func readTag(_ unit: UInt16, _ tag: HTMLTagState) -> HTMLHeadScanner.Verdict {
    var tag = tag
    guard tag.reads(unit) else {
      state = .tag(tag)
      return .undecided
    }
    if isInRoot { return name == Self.head && !tag.isSelfClosing ? .insertAfter : .insertBefore }
    // An empty root has no content.
    if tag.isSelfClosing { return pass() }
    isInRoot = true
    return name == Self.html ? pass() : .insertAfter
  }

  private mutating func pass() -> HTMLHeadScanner.Verdict {
    state = .text
    return .passed
  }
}

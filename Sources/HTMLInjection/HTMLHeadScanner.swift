/// Finds where a script must stand in an HTML document to be the first element of its head, as the HTML Standard's parser would see it
/// (section 13.2.6.4), one code unit after another.
///
/// That is behind `<head>` where the document has one; where it has none, before whatever makes the parser open the head by itself: the
/// first thing that is neither white space, a comment, the doctype, `<html>`, nor an end tag that the parser ignores there.
struct HTMLHeadScanner {
  /// What a code unit means for the units since the last decision.
  enum Verdict {
    /// What comes next decides.
    case undecided
    /// The place is not before or among them.
    case passed
    /// The place is before them.
    case insertBefore
    /// The place is behind this unit.
    case insertAfter
  }

  private enum State {
    /// Between tags.
    case text
    /// After `<`.
    case tagOpen
    /// After `</`.
    case endTagOpen
    /// Within a tag's name.
    case tagName(isEnd: Bool)
    /// Within a tag that is let through, or is that of the head.
    case tag(HTMLTagState, isHead: Bool)
    /// After `<!`.
    case markup
    /// After `<!-`.
    case markupDash
    /// Within a comment.
    case comment(HTMLCommentState)
    /// Within a doctype, a processing instruction or what is taken for a comment: up to the next `>`.
    case declaration
  }

  private var state = State.text
  private var name: [UInt16] = []

  private static let html = Array("html".utf16)
  private static let head = Array("head".utf16)
  /// End tags that are not ignored before the head; the parser takes them for what opens it.
  private static let openingEndTags = ["head", "body", "html", "br"].map { Array($0.utf16) }

  /// Reads the next code unit.
  mutating func read(_ unit: UInt16) -> Verdict {
    switch state {
    case .text:
      if unit.isHTMLSpace { return .passed }
      guard unit == .lessThan else { return .insertBefore }
      state = .tagOpen
    case .tagOpen:
      switch unit {
      case .exclamationMark: state = .markup
      case .questionMark: state = .declaration
      case .slash: state = .endTagOpen
      default:
        guard unit.isASCIILetter else { return .insertBefore }
        name = [unit.asciiLowercased]
        state = .tagName(isEnd: false)
      }
    case .endTagOpen:
      if unit == .greaterThan { return pass() }
      name = [unit.asciiLowercased]
      state = unit.isASCIILetter ? .tagName(isEnd: true) : .declaration
    case .tagName(let isEnd): return readName(unit, isEnd: isEnd)
    case .tag(var tag, let isHead):
      if tag.reads(unit) { return isHead ? .insertAfter : pass() }
      state = .tag(tag, isHead: isHead)
    case .markup:
      if unit == .greaterThan { return pass() }
      state = unit == .dash ? .markupDash : .declaration
    case .markupDash:
      if unit == .greaterThan { return pass() }
      state = unit == .dash ? .comment(HTMLCommentState()) : .declaration
    case .comment(var comment):
      if comment.reads(unit) { return pass() }
      state = .comment(comment)
    case .declaration:
      if unit == .greaterThan { return pass() }
    }
    return .undecided
  }

  private mutating func readName(_ unit: UInt16, isEnd: Bool) -> Verdict {
    guard unit.isHTMLSpace || unit == .slash || unit == .greaterThan else {
      // No name that matters is longer than four letters.
      if name.count <= 4 { name.append(unit.asciiLowercased) }
      return .undecided
    }
    if isEnd ? Self.openingEndTags.contains(name) : name != Self.html && name != Self.head { return .insertBefore }
    var tag = HTMLTagState()
    let isHead = !isEnd && name == Self.head
    if tag.reads(unit) { return isHead ? .insertAfter : pass() }
    state = .tag(tag, isHead: isHead)
    return .undecided
  }

  private mutating func pass() -> Verdict {
    state = .text
    return .passed
  }
}

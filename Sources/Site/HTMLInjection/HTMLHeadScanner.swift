/// Finds the place in an HTML document at which to insert a script, so that it becomes the first element of the head
/// (HTML Standard, section 13.2.6.4). It reads one code unit after another.
///
/// The place is after `<head>`, if the document has this tag. Otherwise it is before the first thing that makes the
/// parser open the head: anything but white space, a comment, the doctype, `<html>`, or an end tag that the parser
/// ignores there.
struct HTMLHeadScanner {
  /// The decision about the code units that have been read since the last decision.
  enum Verdict {
    /// More code units are needed.
    case undecided
    /// The place is somewhere after them.
    case passed
    /// The place is before all of them.
    case insertBefore
    /// The place is directly after them.
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
    /// Within a tag that is ignored, or within `<head>`.
    case tag(HTMLTagState, isHead: Bool)
    /// After `<!`.
    case markup
    /// After `<!-`.
    case markupDash
    /// Within a comment.
    case comment(HTMLCommentState)
    /// Within a doctype, a processing instruction or a bogus comment: up to the next `>`.
    case declaration
  }

  private var state = State.text
  private var name: [UInt16] = []

  private static let html = Array("html".utf16)
  private static let head = Array("head".utf16)
  /// The end tags that open the head. The parser ignores all others before the head.
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
      // No relevant name is longer than four letters.
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

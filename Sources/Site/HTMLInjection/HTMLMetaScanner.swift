/// Finds the `meta` elements in the head of an HTML document as the HTML Standard's parser does, or all start tags in
/// the document. It reads one code unit after another.
struct HTMLMetaScanner {
  /// The decision about the code units that have been read since the last decision.
  enum Verdict {
    /// They may be the beginning of a tag to find.
    case undecided
    /// They are not part of a tag to find.
    case passed
    /// They are a whole tag to find: a `meta` tag or, with `findsEveryTag`, any start tag.
    case meta
    /// The head has ended.
    case over
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
    /// Within a tag.
    case tag(HTMLTagState, isEnd: Bool)
    /// After `<!`.
    case markup
    /// After `<!-`.
    case markupDash
    /// Within a comment.
    case comment(HTMLCommentState)
    /// Within a doctype, a processing instruction or a bogus comment: up to the next `>`.
    case declaration
    /// Within an element that contains only text.
    case rawText(HTMLRawTextState)
  }

  private static let meta = Array("meta".utf16)
  private static let template = Array("template".utf16)
  private static let rawTextNames = names(
    "title", "style", "script", "noscript", "noframes", "textarea", "xmp", "iframe", "noembed")
  private static let headNames =
    names(
      "html", "head", "base", "basefont", "bgsound", "link", "meta", "title", "style", "script", "noscript", "noframes",
      "template")
  private static let closingEndTags = names("body", "html", "br")
  private static let longestName = 8

  private let isXML: Bool
  private let findsEveryTag: Bool
  private var state = State.text
  private var name: [UInt16] = []
  /// How many templates are open. Their content is not part of the head.
  private var templateCount = 0

  /// Creates a scanner.
  /// - Parameters:
  ///   - isXML: Whether the document is XHTML.
  ///   - findsEveryTag: Whether to read a whole document and find every start tag. If false, the first code unit must
  ///     lie within the head, and the scanner finds `meta` tags up to the end of the head.
  init(isXML: Bool, findsEveryTag: Bool = false) {
    self.isXML = isXML
    self.findsEveryTag = findsEveryTag
  }

  /// Reads the next code unit. Do not call it after ``Verdict/over``.
  mutating func read(_ unit: UInt16) -> Verdict {
    switch state {
    case .text:
      if unit == .lessThan {
        state = .tagOpen
        return .undecided
      }
      return unit.isHTMLSpace || templateCount > 0 || findsEveryTag ? .passed : .over
    case .tagOpen: return readOpening(unit)
    case .endTagOpen:
      beginName(with: unit)
      state = unit == .greaterThan ? .text : unit.isASCIILetter ? .tagName(isEnd: true) : .declaration
    case .tagName(let isEnd):
      if unit.isHTMLSpace || unit == .slash || unit == .greaterThan {
        return readTag(unit, HTMLTagState(), isEnd: isEnd)
      }
      // A longer name is none of those above.
      if name.count <= Self.longestName { name.append(unit.asciiLowercased) }
      return isEnd ? .passed : .undecided
    case .tag(let tag, let isEnd): return readTag(unit, tag, isEnd: isEnd)
    case .markup: state = unit == .greaterThan ? .text : unit == .dash ? .markupDash : .declaration
    case .markupDash: state = unit == .greaterThan ? .text : unit == .dash ? .comment(HTMLCommentState()) : .declaration
    case .comment(var comment): state = comment.reads(unit) ? .text : .comment(comment)
    case .declaration: if unit == .greaterThan { state = .text }
    case .rawText(let text) where text.isIndifferent(to: unit): break
    case .rawText(var text):
      // `text` is now the only reference to its array, so a change does not copy it.
      state = .text
      if text.reads(unit) { return readTag(unit, HTMLTagState(), isEnd: true) }
      state = .rawText(text)
    }
    return .passed
  }

  private mutating func readOpening(_ unit: UInt16) -> Verdict {
    switch unit {
    case .exclamationMark: state = .markup
    case .questionMark: state = .declaration
    case .slash: state = .endTagOpen
    default:
      guard unit.isASCIILetter else {
        state = .text
        return templateCount > 0 || findsEveryTag ? .passed : .over
      }
      beginName(with: unit)
      state = .tagName(isEnd: false)
      return .undecided
    }
    return .passed
  }

  private mutating func beginName(with unit: UInt16) {
    name.removeAll(keepingCapacity: true)
    name.append(unit.asciiLowercased)
  }

  private mutating func readTag(_ unit: UInt16, _ tag: HTMLTagState, isEnd: Bool) -> Verdict {
    if templateCount == 0, !findsEveryTag, isEnd ? Self.closingEndTags.contains(name) : !Self.headNames.contains(name) {
      return .over
    }
    let isMeta = !isEnd && (findsEveryTag || templateCount == 0 && name == Self.meta)
    var tag = tag
    guard tag.reads(unit) else {
      state = .tag(tag, isEnd: isEnd)
      return isMeta ? .undecided : .passed
    }
    state = .text
    // Only in XML, a slash at the end of a tag makes its element empty.
    if name == Self.template, !(isXML && tag.isSelfClosing) {
      templateCount = max(0, templateCount + (isEnd ? -1 : 1))
    } else if !isEnd, Self.rawTextNames.contains(name), !(isXML && tag.isSelfClosing) {
      state = .rawText(HTMLRawTextState(of: name))
    }
    return isMeta ? .meta : .passed
  }

  private static func names(_ names: String...) -> [[UInt16]] { names.map { Array($0.utf16) } }
}

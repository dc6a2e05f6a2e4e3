/// Removes spaces and line breaks that mean nothing from a script of ours without comments, so that pages load less.
///
/// It knows literals, and parses no JavaScript: a regular expression is told from a division by what stands before it. What a template
/// literal has in `${}` stays as it is.
struct ScriptSpaces {
  private let source: [UInt8]
  private var index = 0
  private var result: [UInt8] = []

  /// The script without them.
  static func removed(from source: [UInt8]) -> [UInt8] {
    var spaces = ScriptSpaces(source: source)
    return spaces.run()
  }

  private init(source: [UInt8]) {
    self.source = source
  }

  private mutating func run() -> [UInt8] {
    result.reserveCapacity(source.count)
    while index < source.count {
      let byte = source[index]
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): copyLiteral(to: byte)
      case UInt8(ascii: "`"): copyTemplate()
      case UInt8(ascii: "/") where isExpressionNext: copyRegularExpression()
      case UInt8(ascii: " ") where isSpaceNeedless, UInt8(ascii: "\n") where isBreakNeedless: index += 1
      default: copy(1)
      }
    }
    return result
  }

  private static let punctuation = Set("=+-*/%<>&|^!~?:;,(){}[].".utf8)
  private static let beforeExpression = Set("(=,:?&|!{;[>".utf8)
  private static let beforeNeedlessBreak = Set("{;,(=&|?:[".utf8)
  private static let afterNeedlessBreak = Set("?&|.:)".utf8)

  private var last: UInt8 { result.last ?? UInt8(ascii: ";") }
  private var next: UInt8 { index + 1 < source.count ? source[index + 1] : UInt8(ascii: ";") }

  private var isExpressionNext: Bool {
    Self.beforeExpression.contains(last) || result.suffix(7).elementsEqual("return ".utf8)
  }

  private var isSpaceNeedless: Bool {
    // `a + +b` is no `a ++b`.
    (Self.punctuation.contains(last) || Self.punctuation.contains(next)) && last != next
      && !(next == UInt8(ascii: "/") && result.suffix(6).elementsEqual("return".utf8))
  }

  private var isBreakNeedless: Bool {
    Self.beforeNeedlessBreak.contains(last) || Self.afterNeedlessBreak.contains(next)
  }

  private mutating func copy(_ count: Int) {
    let end = min(index + count, source.count)
    result += source[index..<end]
    index = end
  }

  /// Copies a literal up to and with the next `quote`.
  private mutating func copyLiteral(to quote: UInt8) {
    copy(1)
    while index < source.count, source[index] != quote { copy(source[index] == UInt8(ascii: "\\") ? 2 : 1) }
    copy(1)
  }

  private mutating func copyTemplate() {
    copy(1)
    var depth = 0
    while index < source.count, depth > 0 || source[index] != UInt8(ascii: "`") {
      switch source[index] {
      case UInt8(ascii: "\\"): copy(1)
      case UInt8(ascii: "{") where depth > 0 || last == UInt8(ascii: "$"): depth += 1
      case UInt8(ascii: "}") where depth > 0: depth -= 1
      default: break
      }
      copy(1)
    }
    copy(1)
  }

  private mutating func copyRegularExpression() {
    copy(1)
    var isInClass = false
    while index < source.count, isInClass || source[index] != UInt8(ascii: "/") {
      switch source[index] {
      case UInt8(ascii: "\\"): copy(1)
      case UInt8(ascii: "["): isInClass = true
      case UInt8(ascii: "]"): isInClass = false
      default: break
      }
      copy(1)
    }
    copy(1)
  }
}

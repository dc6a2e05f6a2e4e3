/// Shrinks one of our scripts, whose comments are already removed: removes spaces, line breaks and semicolons without meaning, and joins
/// declarations.
///
/// It knows literals, but does not parse JavaScript. The character before a slash shows whether a regular expression or a division begins.
/// The content of `${}` in a template literal stays unchanged. A statement ends with a semicolon or with a block, so no line break after a
/// brace has a meaning. `let` takes the place of `const`, and a name needs no brackets.
struct ScriptSpaces {
  private let source: [UInt8]
  private var index = 0
  private var result: [UInt8] = []
  /// The open brackets at this place of the script, the outermost first.
  private var levels = [Level(isHead: false)]
  /// Whether the last semicolon has ended a declaration.
  private var isAfterDeclaration = false
  /// Whether the last semicolon is a statement of its own, as in `while (a());`.
  private var isEmptyStatement = false
  /// Whether the last closed bracket belongs to `if`, `for` or `while`.
  private var hasClosedHead = false

  private struct Level {
    /// Whether the bracket follows `if`, `for` or `while`.
    let isHead: Bool
    /// Whether a declaration is being copied.
    var isDeclaration = false
  }

  /// The shrunk script.
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
      case UInt8(ascii: "c"), UInt8(ascii: "l"):
        if let declaration { copyDeclaration(declaration) } else { copy(1) }
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): open()
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): close()
      case UInt8(ascii: ";"): endStatement()
      case UInt8(ascii: " ") where isSpaceNeedless, UInt8(ascii: "\n") where isBreakNeedless: index += 1
      default: copy(1)
      }
    }
    return result
  }

  private static let punctuation = Set("=+-*/%<>&|^!~?:;,(){}[].".utf8)
  private static let brackets = Set("(){}[]".utf8)
  private static let beforeExpression = Set("(=,:?&|!{;[>".utf8)
  private static let beforeNeedlessBreak = Set("{};,(=&|?:[>".utf8)
  private static let afterNeedlessBreak = Set("?&|.:)".utf8)

  // MARK: Declarations

  private static let declarations = ["const", "let"].map { Array($0.utf8) }
  private static let heads = ["if", "for", "while"].map { Array($0.utf8) }

  /// The keyword if a declaration begins here; nil if none does.
  private var declaration: [UInt8]? {
    guard result.isEmpty || ";{}\n(".utf8.contains(last) else { return nil }
    return Self.declarations.first { word in
      let after = index + word.count
      return source[index...].starts(with: word) && after < source.count && " {[".utf8.contains(source[after])
    }
  }

  /// Copies the keyword as `let`, which is shorter than `const` and means the same here. A declaration that follows another one continues
  /// it.
  private mutating func copyDeclaration(_ keyword: [UInt8]) {
    index += keyword.count
    if last == UInt8(ascii: ";"), isAfterDeclaration {
      result[result.count - 1] = UInt8(ascii: ",")
      if index < source.count, source[index] == UInt8(ascii: " ") { index += 1 }
    } else {
      result += Array("let".utf8)
    }
    levels[levels.count - 1].isDeclaration = true
  }

  private mutating func open() {
    let isHead = Self.heads.contains { result.reversed().starts(with: $0.reversed()) }
    levels.append(Level(isHead: isHead && source[index] == UInt8(ascii: "(")))
    copy(1)
  }

  private mutating func close() {
    // A comma before the bracket has no meaning. Nor has a semicolon, unless it is a statement.
    let isNeedless = last == UInt8(ascii: ",") || (last == UInt8(ascii: ";") && !isEmptyStatement)
    if source[index] == UInt8(ascii: "}"), isNeedless { result.removeLast() }
    if levels.count > 1 { hasClosedHead = levels.removeLast().isHead }
    if source[index] == UInt8(ascii: ")"), closeName() { return }
    copy(1)
  }

  /// Removes the brackets around a name, or a name with members, if they end here and have no meaning: those of a cast, and those of the only
  /// parameter of an arrow function. Returns false if these are others.
  private mutating func closeName() -> Bool {
    let dot = UInt8(ascii: ".")
    guard let start = result.lastIndex(where: { !Self.isInName($0) && $0 != dot }), start > 0,
      result[start] == UInt8(ascii: "("), Self.beforeExpression.contains(result[start - 1]), start + 1 < result.count,
      !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(result[start + 1]), result[start + 1] != dot
    else { return false }
    result.remove(at: start)
    index += 1
    return true
  }

  private static func isInName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "_"), UInt8(ascii: "$"):
      true
    default: false
    }
  }

  private mutating func endStatement() {
    isAfterDeclaration = levels[levels.count - 1].isDeclaration
    levels[levels.count - 1].isDeclaration = false
    isEmptyStatement = ";{}".utf8.contains(last) || (last == UInt8(ascii: ")") && hasClosedHead)
    copy(1)
  }

  private var last: UInt8 { result.last ?? UInt8(ascii: ";") }
  private var next: UInt8 { index + 1 < source.count ? source[index + 1] : UInt8(ascii: ";") }

  private var isExpressionNext: Bool {
    Self.beforeExpression.contains(last) || result.suffix(7).elementsEqual("return ".utf8)
  }

  private var isSpaceNeedless: Bool {
    // `a + +b` is not `a ++b`.
    (Self.punctuation.contains(last) || Self.punctuation.contains(next))
      && (last != next || Self.brackets.contains(last))
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

import Essentials

/// What a plain scalar of YAML, one without quotation marks, stands for.
package enum YAMLScalar: Hashable {
  case null
  case bool(Bool)
  /// A number; it can be infinite, or not a number (`.inf`, `.nan`).
  case number(Double)
  /// A date, with or without a time. Only YAML 1.1 has these.
  case date
  case text

  /// Reads a scalar by the core schema of YAML 1.2.2 (section 10.3.2).
  package init(core text: String) {
    if let word = Self.words[text] {
      self = word
    } else if !Self.mayBeNumber(text) {
      self = .text
    } else if Self.isPlainNumber(text) {
      self = .number(Self.decimal(text))
    } else if text.wholeMatch(of: /[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?/) != nil {
      self = .number(Self.decimal(text))
    } else if text.wholeMatch(of: /0o[0-7]+/) != nil {
      self = .number(Self.whole(text.dropFirst(2), base: 8))
    } else if text.wholeMatch(of: /0x[0-9a-fA-F]+/) != nil {
      self = .number(Self.whole(text.dropFirst(2), base: 16))
    } else {
      self = .text
    }
  }

  /// Reads a scalar as YAML 1.1 does (yaml.org/type), and with it many other programs.
  package init(yaml11 text: String) {
    let sign = text.hasPrefix("-") ? -1.0 : 1
    let digits = text.trimmingPrefix { $0 == "-" || $0 == "+" }.filter { $0 != "_" }
    if let word = Self.words[text] ?? Self.words11[text] {
      self = word
    } else if !Self.mayBeNumber(text) {
      self = .text
    } else if Self.isPlainNumber(text) {
      self = .number(Self.decimal(text))
    } else if text.wholeMatch(of: /[-+]?0b[01_]+/) != nil {
      self = .number(sign * Self.whole(digits.dropFirst(2), base: 2))
    } else if text.wholeMatch(of: /[-+]?0x[0-9a-fA-F_]+/) != nil {
      self = .number(sign * Self.whole(digits.dropFirst(2), base: 16))
    } else if text.wholeMatch(of: /[-+]?0[0-7_]+/) != nil {
      self = .number(sign * Self.whole(digits[...], base: 8))
    } else if text.wholeMatch(of: /[-+]?(0|[1-9][0-9_]*|([0-9][0-9_]*)?\.[0-9_]*([eE][-+][0-9]+)?)/) != nil,
      digits.contains(where: \.isNumber)
    {
      self = .number(sign * Self.decimal(digits))
    } else if text.wholeMatch(of: /[-+]?([1-9][0-9_]*(:[0-5]?[0-9])+|[0-9][0-9_]*(:[0-5]?[0-9])+\.[0-9_]*)/) != nil {
      self = .number(sign * digits.split(separator: ":").reduce(0) { $0 * 60 + Self.decimal($1) })
    } else if text.wholeMatch(of: Self.date11) != nil {
      self = .date
    } else {
      self = .text
    }
  }

  /// Whether a text begins as numbers and dates do. Most do not, and need no closer look.
  private static func mayBeNumber(_ text: String) -> Bool {
    text.utf8.first.map { 0x30...0x39 ~= $0 || "+-.".utf8.contains($0) } ?? false
  }

  /// Whether a text is a whole number of decimal digits, the same in both versions. Most numbers are, and need no regular expression, which
  /// is made anew each time.
  private static func isPlainNumber(_ text: String) -> Bool {
    text == "0" || (!text.hasPrefix("0") && text.utf8.allSatisfy { 0x30...0x39 ~= $0 })
  }

  private static var date11: Regex<Substring> {
    /[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::?[0-9]{2})?))?/
  }

  /// The words that both versions know.
  private static let words: [String: YAMLScalar] = {
    var words: [String: YAMLScalar] = ["": .null, "~": .null]
    for (word, scalar) in [("null", YAMLScalar.null), ("true", .bool(true)), ("false", .bool(false))] {
      for form in forms(of: word) { words[form] = scalar }
    }
    for form in forms(of: "inf") {
      words[".\(form)"] = .number(.infinity)
      words["+.\(form)"] = .number(.infinity)
      words["-.\(form)"] = .number(-.infinity)
    }
    for word in [".nan", ".NaN", ".NAN"] { words[word] = .number(.nan) }
    return words
  }()

  /// The words that only YAML 1.1 knows.
  private static let words11: [String: YAMLScalar] = {
    var words: [String: YAMLScalar] = [:]
    for (word, bool) in [("yes", true), ("on", true), ("no", false), ("off", false)] {
      for form in forms(of: word) { words[form] = .bool(bool) }
    }
    for (word, bool) in [("y", true), ("Y", true), ("n", false), ("N", false)] { words[word] = .bool(bool) }
    return words
  }()

  /// A word in small letters, with a capital, and in capitals.
  private static func forms(of word: String) -> [String] {
    [word, word.prefix(1).uppercased() + word.dropFirst(), word.uppercased()]
  }

  private static func whole(_ digits: Substring, base: Double) -> Double {
    digits.reduce(0) { $0 * base + Double($1.hexDigitValue ?? 0) }
  }

  /// The number that digits stand for, with a sign, a point and an exponent, if they have these. The point can be the last character.
  private static func decimal(_ text: some StringProtocol) -> Double {
    Double(text.hasSuffix(".") ? String(text.dropLast()) : String(text)) ?? .infinity
  }
}

extension YAMLScalar {
  /// Whether both stand for the same value. `.nan` is the same as `.nan`.
  func isSame(as other: YAMLScalar) -> Bool {
    if case .number(let one) = self, case .number(let two) = other, one.isNaN, two.isNaN { return true }
    return self == other
  }

  /// The value for people. `text` is how it is written.
  func words(for text: String) -> String {
    switch self {
    case .null: "null"
    case .bool(let bool): "\(bool)"
    case .number(let number): number.magnitude < 1e15 && number == number.rounded() ? "\(Int(number))" : "\(number)"
    case .date: "a date"
    case .text: "the text \"\(text)\""
    }
  }

  /// The kind of the value, for people.
  var kind: String {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .date: "a date"
    case .text: "a text"
    }
  }
}

import Essentials

/// An extended regular expression of POSIX, for patterns. It also supports `\d`, `\D`, `\w`, `\W`, `\s` and `\S`.
///
/// The C library searches without backtracking, in time that grows only with the length of the text. Back references would need
/// backtracking, and large counts need much memory, so both are refused.
final class RegularExpression: Sendable {
  /// The expression as it was written.
  let source: String
  // Nothing changes it after it is compiled, and regexec may be called on any thread.
  private nonisolated(unsafe) var expression = regex_t()

  /// The maximum length of an expression, in bytes.
  static let sourceLimit = 512
  /// The maximum length of a text, in bytes. A longer one does not match.
  static let textLimit = 64 << 10
  /// The maximum of a count in braces, and of the product of all counts.
  static let countLimit = 255

  /// Compiles an expression.
  ///
  /// - Throws: ``OptionError`` if it is not valid, is too long, or has a back reference.
  init(_ source: String) throws(OptionError) {
    self.source = source
    guard source.utf8.count <= Self.sourceLimit, !source.utf8.contains(0) else {
      throw OptionError("$matches has more than \(Self.sourceLimit) bytes, or a NUL")
    }
    let translated = try Self.translated(source)
    let status = regcomp(&expression, translated, REG_EXTENDED | REG_NOSUB)
    guard status == 0 else {
      var message = [CChar](repeating: 0, count: 200)
      regerror(status, &expression, &message, message.count)
      // After a failure, regcomp has already released its memory.
      let reason = String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      expression = regex_t()
      throw OptionError("$matches \(source) is not a regular expression: \(reason)")
    }
  }

  deinit {
    regfree(&expression)
  }

  /// Whether the expression is found in a text.
  func matches(_ text: String) -> Bool {
    guard text.utf8.count <= Self.textLimit, !text.utf8.contains(0) else { return false }
    return regexec(&expression, text, 0, nil, 0) == 0
  }

  /// Returns the expression with POSIX classes instead of `\d` and `\D`.
  private static func translated(_ source: String) throws(OptionError) -> String {
    var text = ""
    var product = 1
    var isEscaped = false
    var isInBrackets = false
    for (index, character) in zip(source.indices, source) {
      if isEscaped {
        isEscaped = false
        switch character {
        case "d": text += isInBrackets ? "[:digit:]" : "[[:digit:]]"
        case "s" where isInBrackets: text += "[:space:]"
        case "w" where isInBrackets: text += "[:alnum:]_"
        case "D" where !isInBrackets: text += "[^[:digit:]]"
        // A backslash escapes nothing in the brackets of POSIX. A collating symbol does.
        case _ where isInBrackets && "[]^-".contains(character): text += "[.\(character).]"
        case "1"..."9": throw OptionError("$matches \(source) refers back with \\\(character), which is not supported")
        default: text += isInBrackets ? "\(character)" : "\\\(character)"
        }
        continue
      }
      switch character {
      case "\\":
        isEscaped = true
        continue
      case "[": isInBrackets = true
      case "]": isInBrackets = false
      case "{" where !isInBrackets:
        for count in source[index...].dropFirst().prefix(while: { $0 != "}" }).split(separator: ",").suffix(1) {
          // Not multiplied by more, since the product could overflow.
          product *= min(max(Int(count) ?? 1, 1), countLimit + 1)
          guard product <= countLimit else {
            throw OptionError("$matches \(source) repeats more than \(countLimit) times")
          }
        }
      default: break
      }
      text.append(character)
    }
    return text
  }
}

extension RegularExpression: Hashable {
  static func == (lhs: RegularExpression, rhs: RegularExpression) -> Bool { lhs.source == rhs.source }

  func hash(into hasher: inout Hasher) { hasher.combine(source) }
}

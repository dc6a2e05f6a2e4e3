package import BridgeCore

/// A place in a JSON value (RFC 6901), such as `/user/id`.
package struct JSONPointer: Sendable, Hashable {
  /// The names of members and the numbers of elements on the way to the place, outermost first.
  package let tokens: [String]

  /// Creates a pointer from its tokens, which are not escaped.
  package init(tokens: [String]) {
    self.tokens = tokens
  }

  /// Reads a pointer; nil if the text is not one.
  package init?(_ text: String) {
    if text.isEmpty {
      tokens = []
      return
    }
    guard text.hasPrefix("/") else { return nil }
    var tokens: [String] = []
    for token in text.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      guard let unescaped = Self.unescaped(token) else { return nil }
      tokens.append(unescaped)
    }
    self.tokens = tokens
  }

  /// The pointer as text.
  package var text: String {
    tokens.map { "/" + $0.replacing("~", with: "~0").replacing("/", with: "~1") }.joined()
  }

  /// Returns the value at the place; nil if there is none.
  package func value(in value: JSONValue) -> JSONValue? {
    var value = value
    for token in tokens {
      switch value {
      case .object(let members):
        guard let member = members[token] else { return nil }
        value = member
      case .array(let elements):
        guard let index = Self.index(token), index < elements.count else { return nil }
        value = elements[index]
      default: return nil
      }
    }
    return value
  }

  /// Decodes a token (RFC 6901, section 4): `~1` is a slash, `~0` is a tilde. Nil if there is another tilde.
  private static func unescaped(_ token: Substring) -> String? {
    var text = ""
    var rest = token[...]
    while let character = rest.popFirst() {
      guard character == "~" else {
        text.append(character)
        continue
      }
      switch rest.popFirst() {
      case "0": text.append("~")
      case "1": text.append("/")
      default: return nil
      }
    }
    return text
  }

  /// Reads an index, which has no leading zeros; nil if the text is not one.
  private static func index(_ token: String) -> Int? {
    guard token == "0" || !token.hasPrefix("0"), token.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int(token)
  }
}

/// A pattern for the paths of pages that have a declared bridge, such as `/app/*`. A `*` matches any text.
package struct PagePattern: Sendable, Hashable {
  /// The pattern, with the escapes that browsers use in paths.
  package let text: String

  /// All pages.
  package static let all = PagePattern(unchecked: "/*")

  private init(unchecked text: String) { self.text = text }

  /// Reads a pattern. Nil if no path can match it: it begins with neither a slash nor a star, or has a query, a fragment, a control character,
  /// or a segment `.` or `..`.
  package init?(_ text: String) {
    guard text.hasPrefix("/") || text.hasPrefix("*"), !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }),
      !text.contains("?"), !text.contains("#"),
      !text.split(separator: "/").contains(where: { $0 == "." || $0 == ".." })
    else { return nil }
    self.text = Self.escaped(text)
  }

  /// Escapes the characters of the URL Standard's "path percent-encode set".
  private static func escaped(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if byte > 0x7E || #" "<>`^{}"#.utf8.contains(byte) {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether a path matches the pattern.
  package func matches(_ path: String) -> Bool {
    let parts = text.split(separator: "*", omittingEmptySubsequences: false).map(String.init)
    guard let first = parts.first, let last = parts.last, path.hasPrefix(first) else { return false }
    if parts.count == 1 { return path == first }
    var rest = path.dropFirst(first.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let found = rest.firstRange(of: part) else { return false }
      rest = rest[found.upperBound...]
    }
    return rest.hasSuffix(last)
  }

  /// Whether a path may match both this pattern and another one. Can be true although there is no such path.
  package func mayMeet(_ other: PagePattern) -> Bool {
    if !text.contains("*") { return other.matches(text) }
    if !other.text.contains("*") { return matches(other.text) }
    let (own, others) = (fixedStart, other.fixedStart)
    return own.hasPrefix(others) || others.hasPrefix(own)
  }

  private var fixedStart: Substring { text.prefix { $0 != "*" } }

  /// The source of a JavaScript regular expression that matches the same paths.
  package var regularExpression: String {
    let escaped = text.map { character -> String in
      if character == "*" { return ".*" }
      return #"\^$.|?+()[]{}/"#.contains(character) ? "\\\(character)" : String(character)
    }
    return "^\(escaped.joined())$"
  }
}

/// Which pages a declared bridge is in, by the paths of their addresses: `/app/*`, where `*` stands for anything.
package struct PagePattern: Sendable, Hashable {
  /// The pattern as it is written.
  package let text: String

  /// All pages.
  package static let all = PagePattern(unchecked: "/*")

  private init(unchecked text: String) { self.text = text }

  /// Reads a pattern; nil for one that no path matches, since it does not begin with a slash or a star.
  package init?(_ text: String) {
    guard text.hasPrefix("/") || text.hasPrefix("*") else { return nil }
    self.text = text
  }

  /// Whether the pattern is about a path.
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

  /// Whether a path may be in this pattern and in another one. It may say so of two without a common path.
  package func mayMeet(_ other: PagePattern) -> Bool {
    if !text.contains("*") { return other.matches(text) }
    if !other.text.contains("*") { return matches(other.text) }
    let (own, others) = (fixedStart, other.fixedStart)
    return own.hasPrefix(others) || others.hasPrefix(own)
  }

  private var fixedStart: Substring { text.prefix { $0 != "*" } }

  /// The source of a regular expression of JavaScript for the same paths.
  package var regularExpression: String {
    let escaped = text.map { character -> String in
      if character == "*" { return ".*" }
      return #"\^$.|?+()[]{}/"#.contains(character) ? "\\\(character)" : String(character)
    }
    return "^\(escaped.joined())$"
  }
}

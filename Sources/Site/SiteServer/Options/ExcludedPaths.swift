/// The paths of the site that are left alone (`--exclude`): no shim, and the unchanged answer.
public struct ExcludedPaths: Sendable {
  private let patterns: [[Substring]]

  /// Excludes nothing.
  public init() { patterns = [] }

  /// Reads patterns. A pattern covers a path and everything below it; `*` stands for any characters.
  ///
  /// - Throws: ``SiteError/excludedPathInvalid(_:)`` for a pattern that does not begin with a slash.
  public init(_ patterns: [String]) throws(SiteError) {
    var read: [[Substring]] = []
    for pattern in patterns {
      guard pattern.hasPrefix("/"), !pattern.contains(where: { "?#".contains($0) }) else {
        throw .excludedPathInvalid(pattern)
      }
      let path = pattern.hasSuffix("/") ? pattern.dropLast() : pattern[...]
      read.append(path.split(separator: "*", omittingEmptySubsequences: false))
    }
    self.patterns = read
  }

  /// Whether a path is left alone.
  package func contains(_ path: String) -> Bool {
    patterns.contains { Self.matches(path, $0) }
  }

  /// Whether the path contains the parts in this order. The first part is at the beginning of the path, and the last one is before its end
  /// or a slash.
  private static func matches(_ path: String, _ parts: [Substring]) -> Bool {
    guard let first = parts.first, path.hasPrefix(first) else { return false }
    var rest = path.dropFirst(first.count)
    guard parts.count > 1, let last = parts.last else { return rest.isEmpty || rest.hasPrefix("/") }
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let range = rest.firstRange(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return last.isEmpty || rest.hasSuffix(last) || rest.contains("\(last)/")
  }
}

/// Splits the standard input of an agent into lines, one for each message. Discards lines that are too long.
package struct AgentLines: Sendable {
  /// A line.
  package enum Line: Sendable, Hashable {
    /// A whole line without its end.
    case text([UInt8])
    /// A line that is longer than the limit.
    case tooLong
  }

  private let limit: Int
  private var line: [UInt8] = []
  private var isTooLong = false

  /// The default limit of a line, in bytes: more than the largest body of the control API.
  package static let usualLimit = 64 << 20

  /// Creates a reader for lines of at most `limit` bytes.
  package init(limit: Int = usualLimit) { self.limit = limit }

  /// Reads the next bytes, and returns the lines that end in them. Empty lines are no messages.
  package mutating func read(_ bytes: some Collection<UInt8>) -> [Line] {
    var lines: [Line] = []
    for part in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      if part.offset > 0, let line = end() { lines.append(line) }
      isTooLong = isTooLong || line.count + part.element.count > limit
      if isTooLong { line = [] } else { line += part.element }
    }
    return lines
  }

  private mutating func end() -> Line? {
    defer {
      line = []
      isTooLong = false
    }
    if isTooLong { return .tooLong }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    return line.isEmpty ? nil : .text(line)
  }
}

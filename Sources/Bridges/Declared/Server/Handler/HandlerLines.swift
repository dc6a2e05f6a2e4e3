/// Splits the output of a program into lines of limited length.
package struct HandlerLines: Sendable {
  /// A line without its line break.
  package enum Line: Sendable, Hashable {
    /// The whole line.
    case whole([UInt8])
    /// A line that was longer than `limit` bytes and was discarded, except for a part at each end.
    case tooLong(beginning: [UInt8], end: [UInt8], limit: Int)
  }

  /// The maximum size of a reply, of a body, and of another value in a line, in bytes.
  package static let longestValue = 16 << 20
  /// The maximum size of a line with such a value.
  package static let longestLine = longestValue + (64 << 10)

  /// The maximum length of a line in bytes.
  package let limit: Int
  private var begun: [UInt8] = []
  /// The beginning of a line that is too long. Then ``begun`` has its last bytes.
  private var beginning: [UInt8]?

  /// The length of the parts of a line that is too long.
  private static let partLength = 256

  /// Splits into lines of at most `limit` bytes.
  package init(limit: Int = longestLine) { self.limit = limit }

  /// Takes the next bytes of the output, and returns the lines that end in them. Leaves out empty lines.
  package mutating func push(_ bytes: [UInt8]) -> [Line] {
    var lines: [Line] = []
    for (number, part) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      if number > 0 { end(&lines) }
      begun += part
      if beginning != nil {
        begun = Array(begun.suffix(Self.partLength))
      } else if begun.count > limit {
        beginning = Array(begun.prefix(Self.partLength))
        begun = Array(begun.suffix(Self.partLength))
      }
    }
    return lines
  }

  private mutating func end(_ lines: inout [Line]) {
    if let beginning {
      lines.append(.tooLong(beginning: beginning, end: begun, limit: limit))
    } else if !begun.isEmpty {
      lines.append(.whole(begun))
    }
    begun = []
    beginning = nil
  }
}

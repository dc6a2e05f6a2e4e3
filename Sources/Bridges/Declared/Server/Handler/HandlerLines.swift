/// Splits the output of a program into lines of limited length.
package struct HandlerLines: Sendable {
  /// A line without its line break; nil for a line that was too long and was discarded.
  package typealias Line = [UInt8]?

  /// The maximum length of a line in bytes.
  package let limit: Int
  private var begun: [UInt8] = []
  private var isTooLong = false

  /// Splits into lines of at most `limit` bytes.
  package init(limit: Int) { self.limit = limit }

  /// Takes the next bytes of the output, and returns the lines that end in them. Leaves out empty lines.
  package mutating func push(_ bytes: [UInt8]) -> [Line] {
    var lines: [Line] = []
    for (number, part) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      if number > 0 { end(&lines) }
      if isTooLong { continue }
      if begun.count + part.count > limit {
        begun = []
        isTooLong = true
      } else {
        begun += part
      }
    }
    return lines
  }

  private mutating func end(_ lines: inout [Line]) {
    if isTooLong { lines.append(nil) } else if !begun.isEmpty { lines.append(begun) }
    begun = []
    isTooLong = false
  }
}

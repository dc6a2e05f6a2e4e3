/// Splits what a program writes into lines, with a bound on their length.
package struct HandlerLines: Sendable {
  /// A line without its end; nil for one that is too long, of which nothing is kept.
  package typealias Line = [UInt8]?

  /// How many bytes a line may have.
  package let limit: Int
  private var begun: [UInt8] = []
  private var isTooLong = false

  /// Nothing has been read yet.
  package init(limit: Int) { self.limit = limit }

  /// Takes what was read next, and returns the lines that end in it. Empty lines are left out.
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

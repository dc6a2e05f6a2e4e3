/// A table of text.
struct TextTable {
  /// The lines, the heading first.
  let lines: [String]

  /// How short the cells of a column become before the column is left out.
  private static let shortest = 8
  /// How long cells are filled with spaces. A longer one moves the rest of its own row.
  private static let longestPadding = 40

  /// Lays out rows under a heading. Every row has as many cells as the heading.
  ///
  /// If there is a `width`, long cells are shortened to fit, and end with `…`. Columns for which there is no space even so are left out, but
  /// never the first one.
  ///
  /// - Parameter important: The names of the columns that come before others if there is little space, the most important one first.
  init(_ heading: [String], _ rows: [[String]], important: [String] = [], width: Int? = nil) {
    let all = [heading] + rows
    let longest = heading.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
    guard let width else {
      lines = all.map { row in
        Self.line(heading.indices.map { (row[$0], min(longest[$0], Self.longestPadding)) })
      }
      return
    }
    let columns = Self.columns(of: heading, longest, important, width)
    let limit = Self.limit(columns.map { longest[$0] }, width)
    lines = all.map { row in
      Self.line(
        columns.map { column in
          let space = column == 0 ? longest[column] : min(longest[column], limit)
          return (Self.shortened(row[column], to: space), space)
        })
    }
  }

  /// The columns for which there is space, in their order.
  private static func columns(of heading: [String], _ longest: [Int], _ important: [String], _ width: Int) -> [Int] {
    let ranked = heading.indices.dropFirst().sorted { one, other in
      let ranks = [one, other].map { important.firstIndex(of: heading[$0]) ?? important.count }
      return (ranks[0], one) < (ranks[1], other)
    }
    var used = longest.first ?? 0
    return ranked.reduce(into: heading.isEmpty ? [] : [0]) { columns, column in
      let least = min(longest[column], shortest) + 2
      guard used + least <= width else { return }
      used += least
      columns.append(column)
    }.sorted()
  }

  /// The greatest length of cells with which these columns fit. The first one is never shortened.
  private static func limit(_ longest: [Int], _ width: Int) -> Int {
    let others = longest.dropFirst()
    let space = width - (longest.first ?? 0) - 2 * others.count
    let most = max(shortest, others.max() ?? 0)
    return (shortest...most).last { limit in others.reduce(0) { $0 + min($1, limit) } <= space } ?? shortest
  }

  private static func shortened(_ cell: String, to length: Int) -> String {
    cell.count <= length ? cell : cell.prefix(length - 1) + "…"
  }

  private static func line(_ cells: [(text: String, width: Int)]) -> String {
    let padded = cells.map { $0.text + String(repeating: " ", count: max(0, $0.width - $0.text.count)) }
    return String(padded.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
  }
}

/// A table for people.
struct TextTable {
  /// The lines, the heading first.
  let lines: [String]

  /// Lays out rows under a heading. Every row has as many cells as the heading.
  ///
  /// With a `width`, columns that do not fit into it are left out, except the first one.
  init(_ heading: [String], _ rows: [[String]], width: Int? = nil) {
    let all = [heading] + rows
    let widths = heading.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
    var used = 0
    let columns = heading.indices.filter { column in
      let fits = column == 0 || width.map { used + widths[column] <= $0 } ?? true
      if fits { used += widths[column] + 2 }
      return fits
    }
    lines = all.map { row in
      var line = ""
      for column in columns {
        line += row[column] + String(repeating: " ", count: widths[column] - row[column].count + 2)
      }
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }
}

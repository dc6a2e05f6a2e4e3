/// Suggestions for misspelled words.
package enum Spelling {
  /// Returns the word that is most similar to `text`, ignoring case; nil if none is similar enough. Its edit distance may be a third of the
  /// length of `text`, but at least one.
  package static func nearest(to text: String, in words: [String]) -> String? {
    let found = words.map { ($0, distance(text.lowercased(), $0.lowercased())) }.min { $0.1 < $1.1 }
    return found.flatMap { $0.1 <= max(1, text.count / 3) ? $0.0 : nil }
  }

  /// A sentence with the word that was probably meant, after a space; empty if no word is similar enough.
  package static func suggestion(for text: String, in words: [String]) -> String {
    nearest(to: text, in: words).map { " Did you mean \($0)?" } ?? ""
  }

  /// The edit distance (Damerau and Levenshtein): how many characters to add, remove, replace, or exchange with their neighbours. Compares only
  /// the first 64 characters of each.
  package static func distance(_ one: String, _ other: String) -> Int {
    let (one, other) = (Array(one.prefix(64)), Array(other.prefix(64)))
    var (former, row) = ([Int](), Array(0...other.count))
    for line in one.indices {
      var next = [line + 1]
      for column in other.indices {
        let replaced = row[column] + (one[line] == other[column] ? 0 : 1)
        var least = min(replaced, next[column] + 1, row[column + 1] + 1)
        if line > 0, column > 0, one[line] == other[column - 1], one[line - 1] == other[column] {
          least = min(least, former[column - 1] + 1)
        }
        next.append(least)
      }
      (former, row) = (row, next)
    }
    return row[other.count]
  }
}

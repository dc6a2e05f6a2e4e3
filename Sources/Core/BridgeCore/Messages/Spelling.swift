/// Suggestions for misspelled words.
package enum Spelling {
  /// Returns the word that is most similar to `text`, ignoring case; nil if none is similar enough. Its edit distance may be a third of the
  /// length of `text`, but at least one.
  package static func nearest(to text: String, in words: [String]) -> String? {
    let found = words.map { ($0, distance(text.lowercased(), $0.lowercased())) }.min { $0.1 < $1.1 }
    return found.flatMap { $0.1 <= max(1, text.count / 3) ? $0.0 : nil }
  }

  /// The edit distance (Levenshtein): how many characters to add, remove or replace. Compares only the first 64 characters of each.
  package static func distance(_ one: String, _ other: String) -> Int {
    let other = Array(other.prefix(64))
    var row = Array(0...other.count)
    for (line, letter) in one.prefix(64).enumerated() {
      var diagonal = row[0]
      row[0] = line + 1
      for (column, candidate) in other.enumerated() {
        let replaced = diagonal + (letter == candidate ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
      }
    }
    return row[other.count]
  }
}

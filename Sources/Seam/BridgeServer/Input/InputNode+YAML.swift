package import Sessions
import Yams

extension InputNode {
  /// Reads a YAML file with one document, or none.
  ///
  /// - Parameter remarks: Takes what other programs may read differently.
  /// - Throws: `OptionError` with the line of what is not YAML.
  package static func yaml(_ text: String, file: String, remarks: InputRemarks? = nil) throws(OptionError) -> InputNode?
  {
    do {
      // The default resolver knows only YAML 1.1. What a value is, is decided where it is read.
      return try Yams.compose(yaml: text, .basic).map { InputNode($0, file: file, remarks: remarks) }
    } catch {
      throw OptionError("\(file) is not valid YAML: \(reason(of: error, in: text))")
    }
  }

  /// Describes an error of the parser and its place, but without the text around it, which may contain secrets.
  private static func reason(of error: any Error, in text: String) -> String {
    switch error as? YamlError {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      "\(problem) in line \(mark.line), column \(mark.column)."
    case .duplicatedKeysInMapping(let duplicates, let context):
      repetition(of: duplicates.sorted()[0], at: context.mark, in: text)
    case .reader(let problem, _, _, _): "\(problem)."
    default: "It cannot be read."
    }
  }

  /// Describes a key that a mapping has twice, with both places.
  private static func repetition(of key: String, at mark: Mark, in text: String) -> String {
    guard let second = secondPlace(of: key, at: mark, in: text) else {
      return "\(key) appears twice; first in line \(mark.line), column \(mark.column)."
    }
    return
      "\(key) appears twice, in line \(mark.line), column \(mark.column), and in line \(second.line), column \(second.column)."
  }

  /// The second place of a key. The parser tells only the first one: so this parses the text again, where the first key has another name of the
  /// same length. Nil for a key that is written in another way than it reads.
  private static func secondPlace(of key: String, at mark: Mark, in text: String) -> Mark? {
    var lines = text.split(separator: /\r\n|\n|\r/, omittingEmptySubsequences: false).map { Array($0.unicodeScalars) }
    let name = Array(key.unicodeScalars)
    guard lines.indices.contains(mark.line - 1), !name.isEmpty else { return nil }
    var line = lines[mark.line - 1]
    let quotes: [Unicode.Scalar] = ["\"", "'"]
    let start = mark.column - 1 + (line.dropFirst(mark.column - 1).first.map { quotes.contains($0) ? 1 : 0 } ?? 0)
    guard line.dropFirst(start).starts(with: name) else { return nil }
    for letter in "zq".unicodeScalars where name != Array(repeating: letter, count: name.count) {
      line.replaceSubrange(start..<start + name.count, with: Array(repeating: letter, count: name.count))
      lines[mark.line - 1] = line
      let changed = lines.map { line in String(String.UnicodeScalarView(line)) }.joined(separator: "\n")
      do {
        if let root = try Yams.compose(yaml: changed, .basic) {
          return place(of: key, besides: String(repeating: Character(letter), count: name.count), in: root)
        }
      } catch YamlError.duplicatedKeysInMapping(let duplicates, let context) where duplicates == [key] {
        // The key is there three times.
        return context.mark
      } catch {}
    }
    return nil
  }

  /// The place of a key of the mapping that has another key, too.
  private static func place(of key: String, besides other: String, in node: Node) -> Mark? {
    if let mapping = node.mapping {
      let keys = mapping.map(\.key)
      if keys.contains(where: { $0.string == other }), let found = keys.first(where: { $0.string == key }) {
        return found.mark
      }
      return mapping.lazy.compactMap { place(of: key, besides: other, in: $0.value) }.first
    }
    return node.sequence?.lazy.compactMap { place(of: key, besides: other, in: $0) }.first
  }
}

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
      throw OptionError("\(file) is not valid YAML: \(reason(of: error))")
    }
  }

  /// Describes an error of the parser and its place, but without the text around it, which may contain secrets.
  private static func reason(of error: any Error) -> String {
    switch error as? YamlError {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      "\(problem) in line \(mark.line), column \(mark.column)."
    case .duplicatedKeysInMapping(let duplicates, let context):
      "\(duplicates.joined(separator: ", ")) appears twice, in line \(context.mark.line)."
    case .reader(let problem, _, _, _): "\(problem)."
    default: "It cannot be read."
    }
  }
}

/// The names of operations on the command line. They are derived from the document, so every operation has one.
///
/// The nouns of the path come first, then the verb, which is the first word of the operation's id. A `GET` needs no verb, and an action that
/// the path names is its own verb: `sheets`, `sheets answer`, `rules create`, `clock advance`, `session relaunch`.
package struct OperationWords: Sendable {
  /// The words of each operation, by its id.
  private let usual: [String: [String]]
  private let table: OperationTable

  /// Names all operations of a table.
  package init(_ table: OperationTable) {
    self.table = table
    var usual: [String: [String]] = [:]
    for operation in table.all { usual[operation.id] = Self.words(of: operation) }
    // Of two operations with the same words, such as the handler of a session and that of all sessions, the one of a session keeps them.
    for operation in table.all where !operation.isOfSession {
      let hasTwin = table.all.contains {
        $0.id != operation.id && usual[$0.id] == usual[operation.id]
          && $0.variables.count == operation.variables.count
      }
      if hasTwin { usual[operation.id] = [operation.id.kebabCased] }
    }
    self.usual = usual
  }

  /// The words of an operation, as the help shows them.
  package func of(_ operation: ControlOperation) -> [String] { usual[operation.id] ?? [operation.id] }

  /// All names of an operation: its usual words, the nouns of a `GET` with its verb, and its id.
  private func spellings(of operation: ControlOperation) -> [[String]] {
    let words = of(operation)
    let longer = operation.method == "GET" ? [words + [operation.id.firstWord]] : []
    return [words] + longer + [[operation.id], [operation.id.kebabCased]]
  }

  /// An operation found in arguments, and the remaining arguments.
  package struct Match: Sendable {
    /// The operation.
    package let operation: ControlOperation
    /// The arguments after the words.
    package let rest: [String]
  }

  /// Finds the operation that the first arguments name.
  ///
  /// The longest words have precedence. Of operations with the same words, such as a list and one of its members, the one with as many variables
  /// as `count` returns for the remaining arguments is found, or else the one that takes the most of them.
  package func match(_ arguments: [String], counting count: ([String]) -> Int) -> Match? {
    var found: [(operation: ControlOperation, length: Int)] = []
    for operation in table.all {
      let fitting = spellings(of: operation).filter { arguments.starts(with: $0) }
      if let length = fitting.map(\.count).max() { found.append((operation, length)) }
    }
    guard let longest = found.map(\.length).max() else { return nil }
    let rest = Array(arguments.dropFirst(longest))
    let given = count(rest)
    let candidates = found.filter { $0.length == longest }.map(\.operation)
      .sorted { ($0.variables.count, $0.id) < ($1.variables.count, $1.id) }
    let best = candidates.last { $0.variables.count <= given } ?? candidates.first
    return best.map { Match(operation: $0, rest: rest) }
  }

  /// The words that can follow `words`, sorted.
  package func next(after words: [String]) -> [String] {
    let longer = table.all.map { of($0) }.filter { $0.count > words.count && $0.starts(with: words) }
    return Set(longer.map { $0[words.count] }).sorted()
  }

  private static func words(of operation: ControlOperation) -> [String] {
    var segments = operation.path.split(separator: "/").map(String.init)
    if segments.starts(with: ["sessions", "{session}"]) { segments.removeFirst(2) }
    let isOfSession = operation.isOfSession
    let nouns = segments.filter { !$0.hasPrefix("{") }.map { $0.replacing(".json", with: "") }
    guard let last = nouns.last else {
      return isOfSession ? ["session"] + (operation.method == "GET" ? [] : [operation.id.firstWord]) : [operation.id]
    }
    if operation.method == "GET" { return nouns }
    let id = operation.id.kebabCased + "-"
    guard id.hasPrefix(last + "-") || (last.hasSuffix("s") && id.hasPrefix(last.dropLast() + "-")) else {
      return nouns + [operation.id.firstWord]
    }
    return nouns.count == 1 && isOfSession && operation.variables.isEmpty ? ["session"] + nouns : nouns
  }
}

extension String {
  /// `fail-next-token` for `failNextToken`.
  var kebabCased: String {
    reduce(into: "") { text, character in
      text += character.isUppercase && !text.isEmpty ? "-" + character.lowercased() : character.lowercased()
    }
  }

  /// `fail` for `failNextToken`.
  fileprivate var firstWord: String { String(prefix { !$0.isUppercase }) }
}

package import BridgeCore

/// The arguments of `footbridge ctl`: the operation, its parameters and its body.
package struct CommandArguments: Sendable {
  /// The operation.
  package let operation: ControlOperation
  /// The values of the given parameters, by name. Variables of the path may be missing.
  package private(set) var parameters: [String: String] = [:]
  /// The body; nil if there is none, and the operation does not require one.
  package private(set) var body: JSONValue?

  /// Parses arguments: the words of the operation, then values, with and without a name (`name=value`).
  ///
  /// - Throws: ``ArgumentProblem``.
  package init(_ arguments: [String], body given: JSONValue?, _ words: OperationWords) throws(ArgumentProblem) {
    let (arguments, preset) = Self.expanded(arguments)
    func unnamed(_ rest: [String]) -> [String] { rest.filter { NamedArgument($0) == nil } }
    guard let match = words.match(arguments, counting: { unnamed($0).count }) else {
      throw Self.unknown(arguments, words)
    }
    operation = match.operation
    var rest = unnamed(match.rest)[...]
    let variables = operation.variables.map(\.name)
    // If some variables are left out, the values are for the last ones: the first ones can be looked up.
    for name in variables.suffix(rest.count) { parameters[name] = rest.removeFirst() }
    try read(preset + match.rest.compactMap { NamedArgument($0) }, Array(rest), given, words)
  }

  /// Fills in a variable that was left out.
  package mutating func fill(_ name: String, with value: String) { parameters[name] = value }

  /// The session that the body names; nil if it is left out.
  package var sessionInBody: String? { body?[ControlOperation.session]?.stringValue }

  /// Writes the session into the body.
  package mutating func fill(sessionInBody id: String) {
    var members = body?.objectValue ?? [:]
    members[ControlOperation.session] = .string(id)
    body = .object(members)
  }

  /// The request.
  package var call: ControlCall { ControlCall(operation, parameters, body: body) }

  private mutating func read(
    _ named: [NamedArgument], _ unnamed: [String], _ given: JSONValue?, _ words: OperationWords
  ) throws(ArgumentProblem) {
    let own = words.of(operation)
    let name = own.joined(separator: " ")
    let members = named.filter { argument in !operation.parameters.contains { $0.name == argument.name } }
    for argument in named where operation.parameters.contains(where: { $0.name == argument.name }) {
      parameters[argument.name] = argument.text
    }
    guard let schema = operation.body else {
      if given != nil { throw ArgumentProblem("\(name) takes no body.") }
      guard let first = unnamed.first ?? members.first?.name else { return }
      let parameters = operation.variables.map { "<\($0.name)>" } + operation.settings.map { "\($0.name)=…" }
      let takes = parameters.isEmpty ? "nothing" : parameters.joined(separator: " ")
      let known = Self.beginning(of: own + unnamed, words)
      let next = words.next(after: known).map { (known + [$0]).joined(separator: " ") }
      if known.count > own.count {
        let beginning = known.joined(separator: " ")
        let given = unnamed.dropFirst(known.count - own.count).first ?? ""
        let meant = Spelling.suggestion(for: "\(beginning) \(given)", in: given.isEmpty ? [] : next)
        throw ArgumentProblem("\(beginning) needs one more word.\(meant) There are: \(next.joined(separator: ", ")).")
      }
      let meant = Spelling.suggestion(for: "\(name) \(first)", in: next)
      let more = next.isEmpty ? "" : " There are also: \(next.joined(separator: ", "))."
      throw ArgumentProblem("\(name) does not take \(first).\(meant) It takes \(takes).\(more)")
    }
    var body = BodyArguments(schema, startingWith: given ?? [:])
    for argument in members { try body.set(argument) }
    for text in unnamed { try body.set(unnamed: text) }
    let hasBody = operation.needsBody || given != nil || !members.isEmpty || !unnamed.isEmpty
    guard hasBody else { return }
    // A session that is left out can be looked up.
    let problems = body.problems(besides: operation.needsSessionInBody ? ControlOperation.session : nil)
    if let problem = problems.first {
      throw ArgumentProblem("\(name): \(problem.description) \(Self.hint(words.of(operation)))")
    }
    self.body = body.value
  }

  private static func hint(_ words: [String]) -> String {
    "footbridge ctl \(words.joined(separator: " ")) --help shows all."
  }

  /// Short forms of frequent answers.
  private static let shorthands: [([String], longer: [String], body: String)] = [
    (["sheets", "approve"], ["sheets", "answer"], "approved:=true"),
    (["sheets", "dismiss"], ["sheets", "answer"], "approved:=false"),
  ]

  /// The short forms, as the help shows them.
  package static var shortForms: [(words: [String], meaning: String)] {
    shorthands.map { ($0.0, ($0.longer + [$0.body.replacing(":=", with: "=")]).joined(separator: " ")) }
  }

  private static func expanded(_ arguments: [String]) -> ([String], [NamedArgument]) {
    for (words, longer, body) in shorthands where arguments.starts(with: words) {
      return (longer + arguments.dropFirst(words.count), [NamedArgument(body)].compactMap { $0 })
    }
    return (arguments, [])
  }

  /// The first arguments, as far as an operation begins with them.
  private static func beginning(of arguments: [String], _ words: OperationWords) -> [String] {
    var known: [String] = []
    while known.count < arguments.count, words.next(after: known).contains(arguments[known.count]) {
      known.append(arguments[known.count])
    }
    return known
  }

  private static func unknown(_ arguments: [String], _ words: OperationWords) -> ArgumentProblem {
    let known = beginning(of: arguments, words)
    let next = words.next(after: known)
    let given = arguments.dropFirst(known.count).first ?? ""
    let nearest = Spelling.nearest(to: given, in: next).map {
      " Did you mean \((known + [$0]).joined(separator: " "))?"
    }
    let shown = next.joined(separator: ", ")
    return ArgumentProblem(
      known.isEmpty
        ? "There is no operation \(given).\(nearest ?? "") There are: \(shown)."
        : "\(known.joined(separator: " ")) has no \(given.isEmpty ? "operation without a verb" : given).\(nearest ?? "") It has: \(shown)."
    )
  }
}

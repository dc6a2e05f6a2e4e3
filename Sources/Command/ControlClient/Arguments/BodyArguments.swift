package import BridgeCore

/// One argument `name=value` or `name:=JSON`.
package struct NamedArgument: Sendable, Hashable {
  /// The name: that of a parameter, or of a member of the body, with dots between the names of members of members.
  package let name: String
  /// The value as it was written.
  package let text: String
  /// Whether the value must be JSON.
  package let isJSON: Bool

  /// Parses an argument. Returns nil if it has no `=` after a name.
  package init?(_ argument: String) {
    guard let sign = argument.firstIndex(of: "=") else { return nil }
    let isJSON = argument[..<sign].hasSuffix(":")
    let name = argument[..<sign].dropLast(isJSON ? 1 : 0)
    guard name.wholeMatch(of: /[A-Za-z$_][A-Za-z0-9$_.\-]*/) != nil else { return nil }
    self.name = String(name)
    self.isJSON = isJSON
    text = String(argument[argument.index(after: sign)...])
  }

  /// Converts the text to a value.
  ///
  /// If the schema allows a string, the text is the value; otherwise the text is parsed as JSON.
  package func value(for schema: Schema) throws(ArgumentProblem) -> JSONValue {
    let parsed = try? JSONValue(parsing: text)
    if isJSON {
      guard let parsed else { throw ArgumentProblem("\(name):= needs JSON, and \(text) is none.") }
      return parsed
    }
    return schema.value(of: text, parsed)
  }
}

extension Schema {
  /// Converts the text of an argument to a value. The value may not match the schema; a later check reports that.
  func value(of text: String, _ parsed: JSONValue?) -> JSONValue {
    let isAnything = types.isEmpty && values == nil
    if isAnything { return parsed ?? .string(text) }
    if problems(of: .string(text)).isEmpty { return .string(text) }
    if let parsed, problems(of: parsed).isEmpty { return parsed }
    return types.contains("string") ? .string(text) : parsed ?? .string(text)
  }
}

/// Builds the body of a request from arguments.
package struct BodyArguments: Sendable {
  private let schema: Schema
  /// The body so far.
  package private(set) var value: JSONValue

  /// Starts with a given body, or with an empty object.
  package init(_ schema: Schema, startingWith value: JSONValue = [:]) {
    self.schema = schema
    self.value = value
  }

  /// Sets a member.
  ///
  /// - Throws: ``ArgumentProblem`` if the body has no such member, or the value is not readable.
  package mutating func set(_ argument: NamedArgument) throws(ArgumentProblem) {
    let path = argument.name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    value = try Self.setting(path[...], of: value, schema, argument)
  }

  /// Sets the member for a value without a name: the only required member that the value matches, or else the only member of all.
  package mutating func set(unnamed text: String) throws(ArgumentProblem) {
    let missing = schema.required.filter { value[$0] == nil }
    let names = missing.isEmpty ? schema.names.filter { value[$0] == nil } : missing
    let fitting = names.filter { name in
      guard let member = schema.properties[name] else { return false }
      return member.problems(of: member.value(of: text, try? JSONValue(parsing: text))).isEmpty
    }
    guard fitting.count == 1, let argument = NamedArgument("\(fitting[0])=\(text)") else {
      guard fitting.isEmpty, names.count < 4 else {
        throw ArgumentProblem(
          "\(text) has no name. Write NAME=\(text), with one of these names: \(names.joined(separator: ", ")).")
      }
      let expected = names.map { "\($0), \(schema.properties[$0]?.expectation ?? "")" }.joined(separator: "; or ")
      throw ArgumentProblem(
        expected.isEmpty ? "\(text) is one value too many." : "\(text) does not fit. What is missing is \(expected).")
    }
    try set(argument)
  }

  private static func setting(
    _ path: ArraySlice<String>, of value: JSONValue, _ schema: Schema, _ argument: NamedArgument
  ) throws(ArgumentProblem) -> JSONValue {
    guard let name = path.first else {
      let new = try argument.value(for: schema)
      guard let items = schema.items, new.arrayValue == nil else { return new }
      // A repeated argument makes a list.
      if case .array(let elements) = value { return .array(elements + [items.listed(new)]) }
      if value != .null { return .array([value, items.listed(new)]) }
      if schema.types == ["array"] { return .array([items.listed(new)]) }
      return new
    }
    guard let member = schema.member(name) else {
      throw ArgumentProblem(
        schema.problems(of: [name: nil]).first { $0.message.contains("no member \(name)") }?.description
          ?? "There is no member \(argument.name).")
    }
    var members = value.objectValue ?? [:]
    members[name] = try setting(path.dropFirst(), of: members[name] ?? .null, member, argument)
    return .object(members)
  }

  /// Checks the body, and returns the problems. `name` is a text that may be missing.
  package func problems(besides name: String? = nil) -> [SchemaProblem] {
    guard let name, value[name] == nil, case .object(var members) = value else { return schema.problems(of: value) }
    members[name] = ""
    return schema.problems(of: .object(members))
  }
}

extension Schema {
  /// Converts the text of an argument to an element of a list.
  fileprivate func listed(_ value: JSONValue) -> JSONValue {
    value.stringValue.map { self.value(of: $0, try? JSONValue(parsing: $0)) } ?? value
  }
}

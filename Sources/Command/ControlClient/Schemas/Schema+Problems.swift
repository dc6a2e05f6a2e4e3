package import BridgeCore

/// What is wrong with a value.
package struct SchemaProblem: Sendable, Hashable, CustomStringConvertible {
  /// The path of the wrong part: `settings.calls.purchase`; empty for the whole value.
  package let path: String
  /// What is wrong and how to correct it, as the end of a sentence after the path.
  package let message: String

  /// The problem as a sentence.
  package var description: String { path.isEmpty ? "The body \(message)." : "\(path) \(message)." }
}

extension Schema {
  /// Checks a value, and returns the problems; empty if it matches. Supports only the keywords in the document, since the server checks everything again.
  package func problems(of value: JSONValue, at path: String = "") -> [SchemaProblem] {
    let schema = resolved
    if let values = schema.values {
      return values.contains(value) ? [] : [schema.mismatch(value, path)]
    }
    if let types = schema["type"], !schema.allows(value, types) { return [schema.mismatch(value, path)] }
    var problems: [SchemaProblem] = []
    switch value {
    case .number(let number): if !schema.allows(number) { problems.append(schema.mismatch(value, path)) }
    case .string(let text): if !schema.allows(text) { problems.append(schema.mismatch(value, path)) }
    case .array(let elements): problems += schema.problems(ofElements: elements, at: path)
    case .object(let members): problems += schema.problems(ofMembers: members, at: path)
    case .bool, .null: break
    }
    return problems + schema.problems(ofAlternatives: value, at: path)
  }

  private func mismatch(_ value: JSONValue, _ path: String) -> SchemaProblem {
    let text = value.jsonText
    let shown = text.count > 60 ? text.prefix(60) + "…" : text
    return SchemaProblem(path: path, message: "must be \(expectation), not \(shown)")
  }

  private func allows(_ value: JSONValue, _ types: JSONValue) -> Bool {
    let names = types.arrayValue?.compactMap(\.stringValue) ?? types.stringValue.map { [$0] } ?? []
    return names.contains { name in
      switch (name, value) {
      case ("string", .string), ("boolean", .bool), ("object", .object), ("array", .array), ("null", .null),
        ("number", .number):
        true
      case ("integer", .number(let number)): number == number.rounded()
      default: false
      }
    }
  }

  private func allows(_ number: Double) -> Bool {
    number >= self["minimum"]?.numberValue ?? -.infinity && number <= self["maximum"]?.numberValue ?? .infinity
  }

  private func allows(_ text: String) -> Bool {
    let length = Double(text.unicodeScalars.count)
    guard length >= self["minLength"]?.numberValue ?? 0, length <= self["maxLength"]?.numberValue ?? .infinity else {
      return false
    }
    guard let pattern = self["pattern"]?.stringValue, let expression = try? Regex(pattern) else { return true }
    return text.firstMatch(of: expression) != nil
  }

  private func problems(ofElements elements: [JSONValue], at path: String) -> [SchemaProblem] {
    var problems: [SchemaProblem] = []
    let count = Double(elements.count)
    if let least = self["minItems"]?.numberValue, count < least {
      problems.append(SchemaProblem(path: path, message: "must have at least \(Int(least)) elements"))
    }
    if let most = self["maxItems"]?.numberValue, count > most {
      problems.append(SchemaProblem(path: path, message: "must have at most \(Int(most)) elements"))
    }
    guard self["items"] != nil, let items else { return problems }
    for (index, element) in elements.enumerated() { problems += items.problems(of: element, at: "\(path)[\(index)]") }
    return problems
  }

  private func problems(ofMembers members: [String: JSONValue], at path: String) -> [SchemaProblem] {
    var problems: [SchemaProblem] = []
    for name in required where members[name] == nil {
      problems.append(
        SchemaProblem(path: path, message: "needs the member \(name), \(member(name)?.expectation ?? "")"))
    }
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      if let schema = ownProperties[name] ?? additional {
        problems += schema.problems(of: value, at: path.isEmpty ? name : "\(path).\(name)")
      } else if self["additionalProperties"] == false {
        problems.append(SchemaProblem(path: path, message: unknown(name)))
      }
    }
    if let least = self["minProperties"]?.numberValue, Double(members.count) < least {
      problems.append(SchemaProblem(path: path, message: "needs at least one of: \(names.joined(separator: ", "))"))
    }
    if let most = self["maxProperties"]?.numberValue, Double(members.count) > most {
      problems.append(SchemaProblem(path: path, message: "takes only one of: \(names.joined(separator: ", "))"))
    }
    return problems
  }

  /// The schema of members without one of their own (`additionalProperties`).
  private var additional: Schema? {
    self["additionalProperties"]?.objectValue == nil ? nil : member("")
  }

  private func unknown(_ name: String) -> String {
    guard !names.isEmpty else { return "has no member \(name): it takes none" }
    let nearest = Spelling.nearest(to: name, in: names).map { "; did you mean \($0)?" } ?? "."
    return "has no member \(name)\(nearest) It takes: \(names.joined(separator: ", "))"
  }

  /// The problems of the alternative that the value matches best.
  private func problems(ofAlternatives value: JSONValue, at path: String) -> [SchemaProblem] {
    let found = alternatives.map { $0.problems(of: value, at: path) }
    guard !found.isEmpty, !found.contains([]) else { return [] }
    let ofItsType = zip(alternatives, found).filter { alternative, _ in
      alternative["type"].map { alternative.allows(value, $0) } ?? true
    }
    return ofItsType.map(\.1).min { $0.count < $1.count } ?? [mismatch(value, path)]
  }
}

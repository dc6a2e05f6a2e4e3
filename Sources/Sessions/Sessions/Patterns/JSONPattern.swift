public import BridgeCore

/// A pattern for JSON values.
///
/// An object matches if it has all members of the pattern; it may have more. An array must have as many elements as the pattern, and each
/// must match. Other values must be equal. An object with one member whose name begins with `$` is an operator: `$contains`, `$matches`,
/// `$absent`, `$any` or `$equals`.
public struct JSONPattern: Sendable, Hashable {
  /// The operators of patterns.
  private enum Operator: String, CaseIterable {
    /// Matches a text that contains this text, or an array with an element that matches this pattern.
    case contains = "$contains"
    /// Matches a text in which this regular expression is found.
    case matches = "$matches"
    /// With `true`, matches if the member is missing; with `false`, if it is there.
    case absent = "$absent"
    /// With `true`, matches any value; with `false`, matches if the member is missing.
    case any = "$any"
    /// Matches exactly this value, which may look like an operator.
    case equals = "$equals"
  }

  private indirect enum Content: Sendable, Hashable {
    case value(JSONValue)
    case object([String: JSONPattern])
    case array([JSONPattern])
    case contains(JSONPattern)
    case matches(RegularExpression)
    case isThere(Bool)
  }

  private let content: Content

  private init(content: Content) { self.content = content }

  /// A pattern that every object matches.
  public static let anyObject = JSONPattern(content: .object([:]))

  /// Reads a pattern.
  ///
  /// - Throws: ``OptionError`` for an unknown operator, or one with a wrong operand.
  public init(_ value: JSONValue) throws(OptionError) {
    switch value {
    case .object(let members):
      if members.count == 1, let (name, operand) = members.first, name.hasPrefix("$") {
        content = try Self.content(name, operand)
        return
      }
      var patterns: [String: JSONPattern] = [:]
      for (name, member) in members { patterns[name] = try JSONPattern(member) }
      content = .object(patterns)
    case .array(let elements):
      var patterns: [JSONPattern] = []
      for element in elements { patterns.append(try JSONPattern(element)) }
      content = .array(patterns)
    default: content = .value(value)
    }
  }

  private static func content(_ name: String, _ operand: JSONValue) throws(OptionError) -> Content {
    switch Operator(rawValue: name) {
    case .contains: return .contains(try JSONPattern(operand))
    case .equals: return .value(operand)
    case .absent:
      guard let isAbsent = operand.boolValue else { throw OptionError("\(name) must be true or false") }
      return .isThere(!isAbsent)
    case .any:
      guard let isThere = operand.boolValue else { throw OptionError("\(name) must be true or false") }
      return .isThere(isThere)
    case .matches:
      guard let text = operand.stringValue else { throw OptionError("\(name) must be a regular expression, as text") }
      return .matches(try RegularExpression(text))
    case nil:
      let known = Operator.allCases.map(\.rawValue).joined(separator: ", ")
      throw OptionError(
        "\(name) is not an operator. The operators are \(known). A value with such a member is {\"$equals\": {…}}")
    }
  }

  /// Whether `other` matches. Nil stands for a missing member.
  package func matches(_ other: JSONValue?) -> Bool {
    switch (content, other) {
    case (.isThere(let isThere), _): (other != nil) == isThere
    case (.value(let value), _): value == other
    case (.object(let patterns), .object(let others)?): patterns.allSatisfy { $1.matches(others[$0]) }
    case (.array(let patterns), .array(let others)?):
      patterns.count == others.count && zip(patterns, others).allSatisfy { $0.matches($1) }
    case (.contains(let pattern), .array(let others)?): others.contains { pattern.matches($0) }
    case (.contains(let pattern), .string(let text)?): pattern.text.map { text.contains($0) } ?? false
    case (.matches(let expression), .string(let text)?): expression.matches(text)
    default: false
    }
  }

  /// The members of a pattern for objects; empty for other patterns.
  var members: [String: JSONPattern] {
    if case .object(let patterns) = content { patterns } else { [:] }
  }

  /// Returns the pattern with only these members.
  func restricted(to names: [String]) -> JSONPattern {
    JSONPattern(content: .object(members.filter { names.contains($0.key) }))
  }

  /// The text, if the pattern is one; nil otherwise.
  private var text: String? {
    if case .value(let value) = content { value.stringValue } else { nil }
  }
}

/// Differences from a pattern, for people.
extension JSONPattern {
  /// Describes the differences between `other` and the pattern; empty if it matches. `path` is the place of the value.
  func differences(from other: JSONValue?, at path: String = "") -> [String] {
    switch (content, other) {
    case (.object(let patterns), .object(let others)?):
      return patterns.sorted { $0.key < $1.key }.flatMap { name, pattern in
        pattern.differences(from: others[name], at: path.isEmpty ? name : "\(path).\(name)")
      }
    case (.array(let patterns), .array(let others)?) where patterns.count == others.count:
      return zip(patterns, others).enumerated().flatMap { index, pair in
        pair.0.differences(from: pair.1, at: "\(path)[\(index)]")
      }
    case _ where matches(other): return []
    default:
      let subject = path.isEmpty ? "the value" : path
      return ["\(subject) \(other.map { "is \(Self.words($0))" } ?? "is missing"); it should \(wish)"]
    }
  }

  /// A phrase that says what a value must be.
  private var wish: String {
    switch content {
    case .isThere(let isThere): isThere ? "be there" : "be missing"
    case .contains(let pattern): "contain \(Self.words(pattern.json))"
    case .matches(let expression): "match \(Self.words(.string(expression.source)))"
    case .value, .object, .array: "be \(Self.words(json))"
    }
  }

  /// The pattern as it was written.
  private var json: JSONValue {
    switch content {
    case .value(let value): value
    case .object(let patterns): .object(patterns.mapValues(\.json))
    case .array(let patterns): .array(patterns.map(\.json))
    case .contains(let pattern): [Operator.contains.rawValue: pattern.json]
    case .matches(let expression): [Operator.matches.rawValue: .string(expression.source)]
    case .isThere(let isThere): [Operator.any.rawValue: .bool(isThere)]
    }
  }

  /// Formats a value for people. Truncates long values.
  private static func words(_ value: JSONValue) -> String {
    let text = value.jsonText
    return text.count > 80 ? text.prefix(79) + "…" : text
  }
}

import BridgeCore

/// A pattern for JSON values. An object matches if it has all members of the pattern; it may have more. An array must match in every
/// element, other values completely.
struct JSONPattern: Sendable, Hashable {
  /// The value.
  let value: JSONValue

  /// Creates a pattern from `value`.
  init(_ value: JSONValue) {
    self.value = value
  }

  /// Whether `other` matches; nil is a missing value.
  func matches(_ other: JSONValue?) -> Bool {
    switch (value, other) {
    case (.object(let members), .object(let others)?):
      members.allSatisfy { JSONPattern($1).matches(others[$0]) }
    case (.array(let elements), .array(let others)?):
      elements.count == others.count && zip(elements, others).allSatisfy { JSONPattern($0).matches($1) }
    default: value == other
    }
  }

  /// The differences between `other` and the pattern, in words; empty if it matches. `path` is the place of the value.
  func differences(from other: JSONValue?, at path: String = "") -> [String] {
    switch (value, other) {
    case (.object(let members), .object(let others)?):
      return members.sorted { $0.key < $1.key }.flatMap { name, value in
        JSONPattern(value).differences(from: others[name], at: path.isEmpty ? name : "\(path).\(name)")
      }
    case (.array(let elements), .array(let others)?) where elements.count == others.count:
      return zip(elements, others).enumerated().flatMap { index, pair in
        JSONPattern(pair.0).differences(from: pair.1, at: "\(path)[\(index)]")
      }
    case _ where value == other: return []
    default:
      let subject = path.isEmpty ? "the value" : path
      let should = "it should be \(Self.words(value))"
      return ["\(subject) \(other.map { "is \(Self.words($0))" } ?? "is missing"); \(should)"]
    }
  }

  /// A value for people, truncated if it is long.
  private static func words(_ value: JSONValue) -> String {
    let text = value.jsonText
    return text.count > 80 ? text.prefix(79) + "…" : text
  }
}

import BridgeCore

/// A JSON value that others are compared with as far as it goes: of an object the members that it names, of an array every element, of
/// anything else all of it.
struct JSONPattern: Sendable, Hashable {
  /// The value.
  let value: JSONValue

  /// Creates the pattern that `value` is.
  init(_ value: JSONValue) {
    self.value = value
  }

  /// Whether `other` is as the pattern says; nil is a value that is missing.
  func matches(_ other: JSONValue?) -> Bool {
    switch (value, other) {
    case (.object(let members), .object(let others)?):
      members.allSatisfy { JSONPattern($1).matches(others[$0]) }
    case (.array(let elements), .array(let others)?):
      elements.count == others.count && zip(elements, others).allSatisfy { JSONPattern($0).matches($1) }
    default: value == other
    }
  }

  /// In what `other` is not as the pattern says, in words and by name; empty when it matches. `path` is where the value stands.
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

  /// A value as people read it, cut where it is long.
  private static func words(_ value: JSONValue) -> String {
    let text = value.jsonText
    return text.count > 80 ? text.prefix(79) + "…" : text
  }
}

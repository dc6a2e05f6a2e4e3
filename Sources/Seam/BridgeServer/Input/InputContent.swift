import BridgeCore
import Yams

/// The content of an ``InputNode``, from one of two sources.
///
/// A YAML scalar without quotation marks is what the core schema of YAML 1.2 says. A JSON value keeps its type.
enum InputContent {
  /// A node of a YAML text.
  case yaml(Node)
  /// A value of a JSON text.
  case json(JSONValue)

  /// The names of the kinds of values, for errors.
  var words: (mapping: String, list: String, text: String) {
    switch self {
    case .yaml: ("a mapping of names to values", "a list", "a text")
    case .json: ("an object", "an array", "a string")
    }
  }

  /// The kind of the value, for errors.
  var kind: String {
    if isMapping { return isYAML ? "a mapping" : "an object" }
    if elements != nil { return words.list }
    return isText ? words.text : isNull ? "null" : bool != nil ? "true or false" : "a number"
  }

  /// Whether this is a node of a YAML text.
  var isYAML: Bool { if case .yaml = self { true } else { false } }

  /// Whether this maps names to values.
  var isMapping: Bool {
    switch self {
    case .yaml(let node): node.mapping != nil
    case .json(let value): value.objectValue != nil
    }
  }

  /// The members of a mapping; nil for another value, and for a YAML mapping with a name that is not text.
  var members: [(name: String, value: InputContent)]? {
    switch self {
    case .yaml(let node):
      guard let mapping = node.mapping else { return nil }
      var members: [(name: String, value: InputContent)] = []
      for (key, value) in mapping {
        guard let name = key.scalar?.string else { return nil }
        members.append((name, .yaml(value)))
      }
      return members
    case .json(let value):
      return value.objectValue.map { object in
        object.sorted { $0.key < $1.key }.map { ($0.key, .json($0.value)) }
      }
    }
  }

  /// Whether a mapping has the key `<<`, with which YAML 1.1 merges another mapping.
  var hasMergeKey: Bool {
    guard case .yaml(let node) = self, let mapping = node.mapping else { return false }
    return mapping.keys.contains { $0.scalar?.string == "<<" && $0.scalar?.style == .plain }
  }

  /// The elements of a list; nil for another value.
  var elements: [InputContent]? {
    switch self {
    case .yaml(let node): node.sequence?.map { .yaml($0) }
    case .json(let value): value.arrayValue?.map { .json($0) }
    }
  }

  /// The tag of a YAML value, as it is written: `!from`, `!!binary`. Nil for any other value, and for the tags of the core schema.
  var tag: String? {
    guard let tag = fullTag, !Self.coreTags.contains(tag) else { return nil }
    return tag.hasPrefix(Self.tagPrefix) ? "!!" + tag.dropFirst(Self.tagPrefix.count) : tag
  }

  /// The tag of a YAML value; nil for none. `Node.tag` would replace a missing one.
  private var fullTag: String? {
    guard case .yaml(let node) = self else { return nil }
    let tag =
      switch node {
      case .scalar(let scalar): scalar.tag.rawValue
      case .mapping(let mapping): mapping.tag.rawValue
      case .sequence(let sequence): sequence.tag.rawValue
      case .alias(let alias): alias.tag.rawValue
      }
    return tag.isEmpty ? nil : tag
  }

  private static let tagPrefix = "tag:yaml.org,2002:"
  private static let coreTags = Set(["str", "int", "float", "bool", "null", "map", "seq"].map { tagPrefix + $0 })

  /// The text as it is written; nil for a mapping, a list, and a JSON value of another type.
  var text: String? {
    switch self {
    case .yaml(let node): node.scalar?.string
    case .json(let value): value.stringValue
    }
  }

  /// Whether this is a text, and not a mapping, a list, a number, true, false or null.
  var isText: Bool {
    switch self {
    case .yaml:
      switch scalar {
      case .null, .bool, .number: false
      case .date, .text, nil: text != nil
      }
    case .json(let value): value.stringValue != nil
    }
  }

  /// A number, true, false or null as it is written.
  var writtenScalar: String? {
    guard !isText else { return nil }
    switch self {
    case .yaml: return text
    case .json: return jsonScalar?.jsonText
    }
  }

  /// The text of a YAML scalar without quotation marks and without a tag of the core schema; nil for any other value.
  var plainText: String? {
    guard case .yaml(let node) = self, let scalar = node.scalar, scalar.style == .plain || scalar.style == .any,
      tag != nil || fullTag == nil
    else { return nil }
    return scalar.string
  }

  /// What a YAML scalar stands for; nil for any other value, and for a tag of the core schema that does not fit.
  var scalar: YAMLScalar? {
    guard case .yaml(let node) = self, let text = node.scalar?.string else { return nil }
    if let plainText { return YAMLScalar(core: plainText) }
    guard tag == nil, let tag = fullTag?.dropFirst(Self.tagPrefix.count), tag != "str" else { return .text }
    let scalar = YAMLScalar(core: text)
    switch (tag, scalar) {
    case ("null", .null), ("bool", .bool), ("float", .number): return scalar
    case ("int", .number(let number)): return number == number.rounded() ? scalar : nil
    default: return nil
    }
  }

  /// The truth value; nil for another value.
  var bool: Bool? {
    switch self {
    case .yaml: if case .bool(let bool) = scalar { bool } else { nil }
    case .json(let value): value.boolValue
    }
  }

  /// The number; nil for another value, and for one that is infinite or not a number.
  var number: Double? {
    switch self {
    case .yaml: if case .number(let number) = scalar, number.isFinite { number } else { nil }
    case .json(let value): value.numberValue
    }
  }

  /// Whether this is `null`.
  var isNull: Bool {
    switch self {
    case .yaml: scalar == .null
    case .json(let value): value == .null
    }
  }

  /// The value as JSON, if it is neither a mapping nor a list; nil for a number that JSON does not have.
  var jsonScalar: JSONValue? {
    switch self {
    case .json(let value): value
    case .yaml:
      switch scalar {
      case .null: .null
      case .bool(let bool): .bool(bool)
      case .number(let number): number.isFinite ? .number(number) : nil
      case .text: text.map { .string($0) }
      case .date, nil: nil
      }
    }
  }
}

import BridgeCore
import Yams

/// The content of an ``InputNode``, from one of two sources.
///
/// A YAML value takes the type that its reader asks for, so that text needs no quotation marks. A JSON value keeps its type.
enum InputContent {
  /// A node of a YAML file.
  case yaml(Node)
  /// A value of a JSON text.
  case json(JSONValue)

  /// The names of the kinds of values, for errors.
  var words: (mapping: String, list: String, text: String) {
    switch self {
    case .yaml: ("a mapping of names to values", "a list", "a single value")
    case .json: ("an object", "an array", "a string")
    }
  }

  /// Whether this is a node of a YAML file.
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
        guard let name = key.string else { return nil }
        members.append((name, .yaml(value)))
      }
      return members
    case .json(let value):
      return value.objectValue.map { object in
        object.sorted { $0.key < $1.key }.map { ($0.key, .json($0.value)) }
      }
    }
  }

  /// The elements of a list; nil for another value.
  var elements: [InputContent]? {
    switch self {
    case .yaml(let node): node.sequence?.map { .yaml($0) }
    case .json(let value): value.arrayValue?.map { .json($0) }
    }
  }

  /// The local tag of a YAML value, such as `!from`; nil for any other value.
  var tag: String? {
    guard case .yaml(let node) = self else { return nil }
    let tag = node.tag.description
    return tag.hasPrefix("!") ? tag : nil
  }

  /// The text; nil for another value.
  var text: String? {
    switch self {
    case .yaml(let node): node.scalar?.string
    case .json(let value): value.stringValue
    }
  }

  /// The truth value; nil for another value.
  var bool: Bool? {
    switch self {
    case .yaml(let node): node.bool
    case .json(let value): value.boolValue
    }
  }

  /// The whole number; nil for another value.
  var integer: Int? {
    switch self {
    case .yaml(let node): node.int
    case .json(let value): value.numberValue.flatMap { Int(exactly: $0) }
    }
  }

  /// Whether this is `null`.
  var isNull: Bool {
    switch self {
    case .yaml(let node): node.null != nil
    case .json(let value): value == .null
    }
  }

  /// The value as JSON, if it is neither a mapping nor a list; nil for a number that JSON does not have.
  var jsonScalar: JSONValue? {
    switch self {
    case .json(let value): return value
    case .yaml(let node):
      switch Tag.Name(rawValue: node.tag.description) {
      case .null: return .null
      case .bool: return node.bool.map { .bool($0) }
      case .int, .float:
        guard let number = node.float ?? node.int.map(Double.init), number.isFinite else { return nil }
        return .number(number)
      default: return node.scalar.map { .string($0.string) }
      }
    }
  }
}

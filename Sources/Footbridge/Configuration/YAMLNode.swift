import BridgeCore
import Foundation
import Yams

/// A node of the YAML file that knows where it stands, so that an error can say so.
///
/// JSON is YAML, too: what comes by the control API is read by the same readers. Its values have exactly the types that JSON gives them;
/// those of a file are what the reader wants them to be, so that text needs no quotation marks.
struct YAMLNode {
  private enum Content {
    case yaml(Node)
    case json(JSONValue)
  }

  /// The file and the keys that lead here, such as `onside.accounts[0].name in footbridge.yaml`.
  let place: String
  private let content: Content
  private let path: String
  /// The file's path.
  let file: String

  /// The root of a file.
  init(_ node: Node, file: String) {
    self.init(.yaml(node), path: "", file: file)
  }

  /// The root of a JSON text, which `source` names, such as `the body`.
  init(_ json: JSONValue, source: String) {
    self.init(.json(json), path: "", file: source)
  }

  private init(_ content: Content, path: String, file: String) {
    self.content = content
    self.path = path
    self.file = file
    place = path.isEmpty ? file : "\(path) in \(file)"
  }

  /// An error about this node: "`place` must be `expectation`."
  func expected(_ expectation: String) -> OptionError {
    OptionError("\(place) must be \(expectation).")
  }

  /// Whether this is a mapping of names to values.
  var isMapping: Bool {
    switch content {
    case .yaml(let node): node.mapping != nil
    case .json(let value): value.objectValue != nil
    }
  }

  /// Whether this is a list.
  var isList: Bool {
    switch content {
    case .yaml(let node): node.sequence != nil
    case .json(let value): value.arrayValue != nil
    }
  }

  /// The members of a mapping by name, in the file's order; those of JSON by name. With `known`, another name is an error that lists them.
  func members(known: [String]? = nil) throws(OptionError) -> [(name: String, value: YAMLNode)] {
    var members: [(name: String, value: Content)] = []
    switch content {
    case .yaml(let node):
      guard let mapping = node.mapping else { throw expected("a mapping of names to values") }
      for (key, value) in mapping {
        guard let name = key.string else { throw expected("a mapping whose names are text") }
        members.append((name, .yaml(value)))
      }
    case .json(let value):
      guard let object = value.objectValue else { throw expected("an object") }
      members = object.sorted { $0.key < $1.key }.map { ($0.key, .json($0.value)) }
    }
    if let known, let unknown = members.first(where: { !known.contains($0.name) }) {
      throw OptionError(
        "\(place) has an unknown key, \(unknown.name). Known are: \(known.sorted().joined(separator: ", ")).")
    }
    return members.map { name, value in
      (name, YAMLNode(value, path: path.isEmpty ? name : "\(path).\(name)", file: file))
    }
  }

  /// The members of a mapping whose names are fixed, by name.
  func section(_ known: [String]) throws(OptionError) -> [String: YAMLNode] {
    Dictionary(try members(known: known).map { ($0.name, $0.value) }, uniquingKeysWith: { _, last in last })
  }

  /// The elements of a list.
  func elements() throws(OptionError) -> [YAMLNode] {
    let elements: [Content]
    switch content {
    case .yaml(let node):
      guard let sequence = node.sequence else { throw expected("a list") }
      elements = sequence.map { .yaml($0) }
    case .json(let value):
      guard let array = value.arrayValue else { throw expected("an array") }
      elements = array.map { .json($0) }
    }
    return elements.enumerated().map { YAMLNode($1, path: "\(path)[\($0)]", file: file) }
  }

  /// A single value as it is written; of JSON, a string.
  func text() throws(OptionError) -> String {
    switch content {
    case .yaml(let node):
      guard let text = node.scalar?.string else { throw expected("a single value") }
      return text
    case .json(let value):
      guard let text = value.stringValue else { throw expected("a string") }
      return text
    }
  }

  /// The values of a list of single values, or a single one alone.
  func texts() throws(OptionError) -> [String] {
    guard isList else { return [try text()] }
    var texts: [String] = []
    for element in try elements() { texts.append(try element.text()) }
    return texts
  }

  /// `true` or `false`.
  func bool() throws(OptionError) -> Bool {
    let bool: Bool? =
      switch content {
      case .yaml(let node): node.bool
      case .json(let value): value.boolValue
      }
    guard let bool else { throw expected("true or false") }
    return bool
  }

  /// A whole number in a range.
  func integer(in range: ClosedRange<Int>) throws(OptionError) -> Int {
    let integer: Int? =
      switch content {
      case .yaml(let node): node.int
      case .json(let value): value.numberValue.flatMap { Int(exactly: $0) }
      }
    guard let integer, range.contains(integer) else {
      throw expected("a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return integer
  }

  /// Whether this is `null`.
  var isNull: Bool {
    switch content {
    case .yaml(let node): node.null != nil
    case .json(let value): value == .null
    }
  }

  /// One of a few words.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(_ type: Choice.Type) throws(OptionError) -> Choice {
    guard let choice = Choice(rawValue: try text()) else {
      throw expected("one of: \(Choice.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return choice
  }

  /// The value as JSON: plain `true`, `12`, `1.5` and `null` are what they look like, quoted they are text.
  func json() throws(OptionError) -> JSONValue {
    switch content {
    case .json(let value): return value
    case .yaml(let node):
      if isMapping { return .object(try jsonMembers()) }
      if isList {
        var json: [JSONValue] = []
        for element in try elements() { json.append(try element.json()) }
        return .array(json)
      }
      switch Tag.Name(rawValue: node.tag.description) {
      case .null: return .null
      case .bool: return .bool(try bool())
      case .int, .float:
        guard let number = node.float ?? node.int.map(Double.init), number.isFinite else {
          throw expected("a number that JSON has")
        }
        return .number(number)
      default: return .string(try text())
      }
    }
  }

  /// The members of a mapping as JSON.
  func jsonMembers() throws(OptionError) -> [String: JSONValue] {
    var json: [String: JSONValue] = [:]
    for (name, value) in try members() { json[name] = try value.json() }
    return json
  }
}

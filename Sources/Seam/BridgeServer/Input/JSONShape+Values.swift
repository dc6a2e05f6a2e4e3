package import BridgeCore
package import Sessions

/// Values of a shape.
extension JSONShape {
  /// Reads a value of this shape. In YAML, a number counts as text where the shape has text, as it is written.
  ///
  /// - Throws: `OptionError` with the place of what differs.
  package func read(_ node: InputNode) throws(OptionError) -> JSONValue {
    switch self {
    case .text: return .string(try node.text())
    case .number:
      let value = try node.json()
      guard value.numberValue != nil else { throw node.expected("a number") }
      return value
    case .flag: return .bool(try node.bool())
    case .words(let words):
      let word = try node.text()
      guard words.contains(word) else { throw node.expected(oneOf: words) }
      return .string(word)
    case .list(let shape): return .array(try node.list { node throws(OptionError) in try shape.read(node) })
    case .nullable(let shape): return node.isNull ? .null : try shape.read(node)
    case .dictionary(let shape):
      var members: [String: JSONValue] = [:]
      for (name, member) in try node.members() { members[name] = try shape.read(member) }
      return .object(members)
    case .anyObject: return .object(try node.jsonMembers())
    case .any: return try node.json()
    case .object(let shapes): return .object(try Self.read(node, shapes))
    }
  }

  private static func read(_ node: InputNode, _ shapes: [String: JSONShape]) throws(OptionError) -> [String: JSONValue]
  {
    let members = try node.section(shapes.keys.map(name))
    var values: [String: JSONValue] = [:]
    for (key, shape) in shapes.sorted(by: { $0.key < $1.key }) {
      let name = name(key)
      if let member = members[name] {
        values[name] = try shape.read(member)
      } else if name == key {
        throw node.expected("given \(name)")
      }
    }
    return values
  }
}

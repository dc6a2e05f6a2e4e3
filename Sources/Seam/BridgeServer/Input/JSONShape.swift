package import Sessions
import BridgeCore

/// The shape of a value in a contract. A rule's `result` is checked against it, so that pages only get values that a host can send. A
/// rule's `where` is checked against the shape of the call's data, so that it can match.
package indirect enum JSONShape: Sendable {
  case text
  case number
  case flag
  /// One of these texts.
  case words([String])
  case list(JSONShape)
  /// An object with these members. A member whose name ends with `?` can be missing.
  case object([String: JSONShape])
  /// An object with any members of this shape.
  case dictionary(JSONShape)
  /// This shape, or `null`.
  case nullable(JSONShape)
  /// An object without known members.
  case anyObject
  /// Any value.
  case any

  /// Checks a value. In YAML, any single value counts as text, since text needs no quotation marks there.
  ///
  /// - Throws: `OptionError` with the place of what differs.
  package func check(_ node: InputNode) throws(OptionError) {
    switch self {
    case .text: _ = try node.text()
    case .number:
      guard try node.json().numberValue != nil else { throw node.expected("a number") }
    case .flag: _ = try node.bool()
    case .words(let words):
      guard words.contains(try node.text()) else { throw node.expected("one of: \(words.joined(separator: ", "))") }
    case .list(let shape):
      for element in try node.elements() { try shape.check(element) }
    case .nullable(let shape):
      if !node.isNull { try shape.check(node) }
    case .dictionary(let shape):
      for (_, member) in try node.members() { try shape.check(member) }
    case .anyObject: _ = try node.members()
    case .any: break
    case .object(let shapes):
      let members = try node.section(shapes.keys.map(Self.name))
      for (key, shape) in shapes.sorted(by: { $0.key < $1.key }) {
        let name = Self.name(key)
        if let member = members[name] {
          try shape.check(member)
        } else if name == key {
          throw node.expected("given \(name)")
        }
      }
    }
  }

  package static func name(_ key: String) -> String { key.hasSuffix("?") ? String(key.dropLast()) : key }
}

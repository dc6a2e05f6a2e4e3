import BridgeCore

/// The shape that a contract gives a value: what a rule's `result` must look like, so that pages do not get what no host sends, and what the
/// data of a call look like that its `where` is compared with.
indirect enum JSONShape: Sendable {
  case text
  case number
  case flag
  /// One of these texts.
  case words([String])
  case list(JSONShape)
  /// An object with these members. Those with a name that ends with `?` can be missing.
  case object([String: JSONShape])
  /// An object with any members of this shape.
  case dictionary(JSONShape)
  /// This shape, or `null`.
  case nullable(JSONShape)
  /// An object without known members.
  case anyObject
  /// Any value.
  case any

  /// Checks a value. In YAML, only text in quotation marks is told from numbers and flags, so any single value counts as text there.
  ///
  /// - Throws: `OptionError` with the place of what differs.
  func check(_ node: InputNode) throws(OptionError) {
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

  static func name(_ key: String) -> String { key.hasSuffix("?") ? String(key.dropLast()) : key }
}

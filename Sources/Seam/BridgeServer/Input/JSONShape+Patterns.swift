import Sessions

/// Patterns for values of a shape.
extension JSONShape {
  /// Checks a pattern.
  ///
  /// - Throws: `OptionError` with the place of a part that no value of this shape matches, and what would be right.
  func check(pattern node: InputNode, isOptional: Bool = false) throws(OptionError) {
    if isOptional, node.isNull { return }
    let members = node.isMapping ? try node.members() : []
    if members.count == 1, let (name, operand) = members.first, name.hasPrefix("$") {
      return try check(name, operand, node, isOptional: isOptional)
    }
    switch self {
    case .any: break
    case .text: try checkText(node)
    case .words(let words):
      try checkText(node)
      guard words.contains(try node.text()) else { throw node.expected(oneOf: words) }
    case .number:
      guard try node.json().numberValue != nil else { throw node.expected("a number") }
    case .flag:
      guard try node.json().boolValue != nil else { throw node.expected("true or false") }
    case .list(let shape):
      guard node.isList else { throw node.expected("{ $contains: … } or a list, since it is compared with a list") }
      for element in try node.elements() { try shape.check(pattern: element) }
    case .nullable(let shape):
      if !node.isNull { try shape.check(pattern: node) }
    case .dictionary(let shape):
      for (_, member) in try node.members() { try shape.check(pattern: member, isOptional: true) }
    case .anyObject: _ = try node.members()
    case .object(let shapes):
      let known = shapes.keys.map(Self.name).sorted()
      for (name, member) in try node.members() {
        if let shape = shapes[name] {
          try shape.check(pattern: member)
        } else if let shape = shapes[name + "?"] {
          try shape.check(pattern: member, isOptional: true)
        } else {
          throw member.expected("one of these members: \(known.joined(separator: ", "))")
        }
      }
    }
  }

  private func checkText(_ node: InputNode) throws(OptionError) {
    guard try node.json().stringValue != nil else {
      throw node.expected("a text\(node.isMapping || node.isList ? "" : ", in quotation marks")")
    }
  }

  /// Checks an operator. That it exists and has the right operand is checked elsewhere.
  private func check(
    _ name: String, _ operand: InputNode, _ node: InputNode, isOptional: Bool
  ) throws(OptionError) {
    switch name {
    case "$equals": try check(literal: operand)
    case "$absent", "$any":
      let mustBeThere = try operand.bool() == (name == "$any")
      if !mustBeThere, !isOptional { throw node.expected("another pattern: this member is always there") }
    case "$contains": try check(part: operand, of: node)
    case "$matches":
      switch self {
      case .text, .words, .any: break
      case .nullable(let shape): try shape.check(name, operand, node, isOptional: false)
      case .list: throw node.expected("{ $contains: { $matches: … } }, since it is compared with a list")
      default: throw node.expected("another pattern: $matches is for texts")
      }
    default: break
    }
  }

  private func check(part: InputNode, of node: InputNode) throws(OptionError) {
    switch self {
    case .list(let shape): try shape.check(pattern: part)
    case .text, .words: try checkText(part)
    case .nullable(let shape): try shape.check(part: part, of: node)
    case .any: break
    default: throw node.expected("another pattern: $contains is for texts and lists")
    }
  }

  /// Checks a value that is compared as a whole.
  private func check(literal node: InputNode) throws(OptionError) {
    switch self {
    case .text, .words, .number, .flag: try check(pattern: node)
    default: _ = try read(node)
    }
  }
}

import BridgeCore

extension InputNode {
  /// A JSON value with gaps: `!from /place` is what a message has there, and `!json value` is the JSON text of the value.
  func template() throws(OptionError) -> JSONTemplate {
    switch tag {
    case "!from": return .from(try pointer())
    case "!json": return .text(try plainTemplate())
    case .some(let tag): throw expected("without the tag \(tag). Known are: !from, !json")
    case nil: return try plainTemplate()
    }
  }

  private func plainTemplate() throws(OptionError) -> JSONTemplate {
    if isMapping {
      var members: [String: JSONTemplate] = [:]
      for (name, value) in try self.members() { members[name] = try value.template() }
      return .of(members)
    }
    if isList { return .of(try list { node throws(OptionError) in try node.template() }) }
    return .constant(try json())
  }

  /// A JSON pointer.
  func pointer() throws(OptionError) -> JSONPointer {
    guard let pointer = JSONPointer(try text()) else {
      throw expected("a JSON pointer (RFC 6901) such as /user/id")
    }
    return pointer
  }
}

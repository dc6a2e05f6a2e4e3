/// The content of a ``Sheet``. A policy often answers a sheet at once, and then only readers of the journal need the content.
package enum SheetContent: Sendable, Hashable {
  /// Members that are there already.
  case members([String: JSONValue])
  /// Members that are made when somebody reads them, from values that do not change. Each read makes them again.
  case later(@Sendable () -> [String: JSONValue])

  /// The members of the content.
  package var members: [String: JSONValue] {
    switch self {
    case .members(let members): members
    case .later(let make): make()
    }
  }

  /// Returns the content with one more member.
  package func adding(_ name: String, _ value: JSONValue) -> SheetContent {
    switch self {
    case .members(var members):
      members[name] = value
      return .members(members)
    case .later(let make):
      return .later {
        var members = make()
        members[name] = value
        return members
      }
    }
  }

  /// Compares the members.
  package static func == (one: SheetContent, other: SheetContent) -> Bool { one.members == other.members }

  /// Hashes the members.
  package func hash(into hasher: inout Hasher) { hasher.combine(members) }
}

/// The shape of a value in a contract. A rule's `result` is checked against it, so that pages only get values that a host can send. A
/// rule's `where` is checked against the shape of the call's data, so that it can match.
public indirect enum JSONShape: Sendable {
  /// A string.
  case text
  /// A number.
  case number
  /// A boolean.
  case flag
  /// One of these strings.
  case words([String])
  /// An array of values of this shape.
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

  /// The member's name of a key of ``object(_:)``.
  package static func name(_ key: String) -> String { key.hasSuffix("?") ? String(key.dropLast()) : key }
}

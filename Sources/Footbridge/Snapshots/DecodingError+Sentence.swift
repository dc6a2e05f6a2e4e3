/// Errors of Foundation's coders in words for people.
extension DecodingError {
  /// What is wrong, with its place.
  ///
  /// - Parameter place: Returns the whole place of a member: `purchases[3].price`.
  func sentence(_ place: (String) -> String) -> String {
    switch self {
    case .keyNotFound(let key, let context):
      "\(place(Self.path(context.codingPath))) must have the member \(key.stringValue)."
    case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
      "\(place(Self.path(context.codingPath))) must be \(Self.words(for: type))."
    case .dataCorrupted(let context):
      "\(place(Self.path(context.codingPath))) has a value that is not possible: \(Self.cut(context.debugDescription))"
    @unknown default: "\(place("")) cannot be read."
    }
  }

  private static func path(_ keys: [any CodingKey]) -> String {
    keys.reduce("") { path, key in
      if let index = key.intValue { return "\(path)[\(index)]" }
      return path.isEmpty ? key.stringValue : "\(path).\(key.stringValue)"
    }
  }

  private static func words(for type: any Any.Type) -> String {
    switch type {
    case is String.Type: "a text"
    case is Bool.Type: "true or false"
    case is Double.Type, is Int.Type: "a number"
    case is [String: any Any].Type: "an object"
    default: "\(type)".hasPrefix("Array") || "\(type)".hasPrefix("Shared") ? "a list" : "a value of another type"
    }
  }

  /// The coder repeats the value, which may be long.
  private static func cut(_ text: String) -> String {
    text.utf8.count > 200 ? "\(text.prefix(200))…" : text
  }
}

import BridgeCore

extension Schema {
  /// Describes the allowed values: "a whole number from 0 to 100".
  package var expectation: String {
    let schema = resolved
    if let values = schema.values {
      let shown = values.map { $0.stringValue ?? $0.jsonText }
      return shown.count == 1 ? shown[0] : "one of: \(shown.joined(separator: ", "))"
    }
    let alternatives = schema.alternatives.filter { $0["type"] != nil || $0.values != nil }
    if schema["type"] == nil, !alternatives.isEmpty {
      return alternatives.map(\.expectation).joined(separator: ", or ")
    }
    let names = schema.types.map(schema.words(of:))
    return names.isEmpty ? "any JSON" : names.joined(separator: " or ")
  }

  private func words(of type: String) -> String {
    switch type {
    case "integer": "a whole number" + range
    case "number": "a number" + range
    case "boolean": "true or false"
    case "array": "a list"
    case "object": objectWords
    case "null": "null"
    default: textWords
    }
  }

  private var range: String {
    switch (self["minimum"]?.numberValue, self["maximum"]?.numberValue) {
    case (let least?, let most?): " from \(JSONValue.number(least).jsonText) to \(JSONValue.number(most).jsonText)"
    case (let least?, nil): " from \(JSONValue.number(least).jsonText)"
    case (nil, let most?): " up to \(JSONValue.number(most).jsonText)"
    case (nil, nil): ""
    }
  }

  private var objectWords: String {
    let required = required
    return required.isEmpty ? "an object" : "an object with \(required.joined(separator: " and "))"
  }

  private var textWords: String {
    if self["format"] == "date-time" { return "a time such as 2026-01-31T12:00:00Z" }
    if let examples = self["examples"]?.arrayValue?.compactMap(\.stringValue), !examples.isEmpty {
      return "a text such as \(examples.joined(separator: " or "))"
    }
    if let pattern = self["pattern"]?.stringValue { return "a text of the form \(pattern)" }
    switch (self["minLength"]?.numberValue, self["maxLength"]?.numberValue) {
    case (_, let most?): return "a text of at most \(Int(most)) characters"
    case (let least?, nil) where least > 0: return "a text that is not empty"
    default: return "a text"
    }
  }
}

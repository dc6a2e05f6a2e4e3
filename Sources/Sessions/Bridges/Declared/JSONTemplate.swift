package import BridgeCore

/// A JSON value with gaps, which a message fills.
package indirect enum JSONTemplate: Sendable, Hashable {
  /// Is always the same.
  case constant(JSONValue)
  /// Is what the message has at a place.
  case from(JSONPointer)
  /// Is the JSON text of what is inside.
  case text(JSONTemplate)
  /// An array of what is inside.
  case array([JSONTemplate])
  /// An object of what is inside.
  case object([String: JSONTemplate])

  /// The value for a message. What the message does not have is left out of objects, and null elsewhere.
  package func filled(from message: JSONValue) -> JSONValue { value(from: message) ?? .null }

  /// The value for a message; nil when it is what the message does not have.
  func value(from message: JSONValue) -> JSONValue? {
    switch self {
    case .constant(let value): value
    case .from(let pointer): pointer.value(in: message)
    case .text(let template): .string(template.filled(from: message).jsonText)
    case .array(let elements): .array(elements.map { $0.filled(from: message) })
    case .object(let members): .object(members.compactMapValues { $0.value(from: message) })
    }
  }

  /// The template of these elements; a constant when all of them are.
  package static func of(_ elements: [JSONTemplate]) -> JSONTemplate {
    let constants = elements.compactMap(\.constant)
    return constants.count == elements.count ? .constant(.array(constants)) : .array(elements)
  }

  /// The template of these members; a constant when all of them are.
  package static func of(_ members: [String: JSONTemplate]) -> JSONTemplate {
    let constants = members.compactMapValues(\.constant)
    return constants.count == members.count ? .constant(.object(constants)) : .object(members)
  }

  /// The template as the shim fills it.
  package var json: JSONValue {
    switch self {
    case .constant(let value): ["constant": value]
    case .from(let pointer): ["from": .array(pointer.tokens.map { .string($0) })]
    case .text(let template): ["text": template.json]
    case .array(let elements): ["array": .array(elements.map(\.json))]
    case .object(let members): ["object": .object(members.mapValues(\.json))]
    }
  }

  private var constant: JSONValue? { if case .constant(let value) = self { value } else { nil } }
}

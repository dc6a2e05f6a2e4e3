package import BridgeCore

/// A JSON value with gaps, which are filled with values from a message.
package indirect enum JSONTemplate: Sendable, Hashable {
  /// A constant value.
  case constant(JSONValue)
  /// No value: `undefined`.
  case undefined
  /// The value at a place in the message.
  case from(JSONPointer)
  /// The JSON text of the inner template's value.
  case text(JSONTemplate)
  /// An array of the inner templates' values.
  case array([JSONTemplate])
  /// An object of the inner templates' values.
  case object([String: JSONTemplate])

  /// Returns the value for a message. If the message lacks a value, it is left out of an object, and null elsewhere.
  package func filled(from message: JSONValue) -> JSONValue { value(from: message) ?? .null }

  /// Returns the value for a message; nil if the message lacks it.
  package func value(from message: JSONValue) -> JSONValue? {
    switch self {
    case .constant(let value): value
    case .undefined: nil
    case .from(let pointer): pointer.value(in: message)
    case .text(let template): .string(template.filled(from: message).jsonText)
    case .array(let elements): .array(elements.map { $0.filled(from: message) })
    case .object(let members): .object(members.compactMapValues { $0.value(from: message) })
    }
  }

  /// Returns the template of an array; a constant if all elements are.
  package static func of(_ elements: [JSONTemplate]) -> JSONTemplate {
    let constants = elements.compactMap(\.constant)
    return constants.count == elements.count ? .constant(.array(constants)) : .array(elements)
  }

  /// Returns the template of an object; a constant if all members are.
  package static func of(_ members: [String: JSONTemplate]) -> JSONTemplate {
    let constants = members.compactMapValues(\.constant)
    return constants.count == members.count ? .constant(.object(constants)) : .object(members)
  }

  /// The template in the form for the shim, which fills it.
  package var json: JSONValue {
    switch self {
    case .constant(let value): ["constant": value]
    case .undefined: ["undefined": true]
    case .from(let pointer): ["from": .array(pointer.tokens.map { .string($0) })]
    case .text(let template): ["text": template.json]
    case .array(let elements): ["array": .array(elements.map(\.json))]
    case .object(let members): ["object": .object(members.mapValues(\.json))]
    }
  }

  private var constant: JSONValue? { if case .constant(let value) = self { value } else { nil } }
}

import BridgeCore
import DeclaredServer
import Sessions

/// Finds the values that the native app has copied from the messages.
struct Generalization {
  private let bodies: [JSONValue]
  private let places: [(pointer: JSONPointer, value: JSONValue)]

  /// Looks for copies of values of these messages.
  init(_ bodies: [JSONValue]) {
    self.bodies = bodies
    places = bodies.first?.leaves.filter { $0.value.stringValue != nil || $0.value.numberValue != nil } ?? []
  }

  /// The template that gives these values for the messages. Where they have nothing in common, it is the first value.
  func template(of values: [JSONValue]) -> JSONTemplate {
    guard let first = values.first else { return .constant(.null) }
    switch first {
    case .object(let members):
      guard values.allSatisfy({ $0.objectValue?.keys == members.keys }) else { return .constant(first) }
      return .of(
        Dictionary(
          uniqueKeysWithValues: members.keys.map { name in
            (name, template(of: values.map { $0[name] ?? .null }, named: name))
          }))
    case .array(let elements):
      guard values.allSatisfy({ $0.arrayValue?.count == elements.count }) else { return .constant(first) }
      return .of(elements.indices.map { index in template(of: values.compactMap { $0.arrayValue?[index] }) })
    case .string, .number: return template(of: values, named: "")
    case .bool, .null: return .constant(first)
    }
  }

  private func template(of values: [JSONValue], named name: String) -> JSONTemplate {
    let first = values[0]
    switch first {
    case .object, .array: return template(of: values)
    case .bool, .null: return .constant(first)
    case .string, .number: break
    }
    let differ = Set(values).count > 1
    let found = places.first { place in
      place.value == first && (differ || place.pointer.isID || name.lowercased().hasSuffix("id"))
        && zip(bodies, values).allSatisfy { place.pointer.value(in: $0) == $1 }
    }
    if let found { return .from(found.pointer) }
    // A text may be JSON that contains values of the message.
    let inside = values.compactMap(\.jsonInside)
    if inside.count == values.count, case let template = template(of: inside), !template.isConstant {
      return .text(template)
    }
    return .constant(first)
  }
}

extension JSONPointer {
  /// Whether the place has the name of an id.
  var isID: Bool { tokens.last?.lowercased().hasSuffix("id") ?? false }
}

extension JSONTemplate {
  fileprivate var isConstant: Bool { if case .constant = self { true } else { false } }
}

extension JSONValue {
  /// The object or the array whose JSON text this is.
  var jsonInside: JSONValue? {
    guard let text = stringValue, text.hasPrefix("{") || text.hasPrefix("[") else { return nil }
    return try? JSONValue(parsing: text.utf8)
  }

  /// Whether both are the same. In texts that are JSON, the order of members and spaces do not count.
  func isSame(as other: JSONValue) -> Bool {
    switch (self, other) {
    case (.object(let members), .object(let others)):
      members.count == others.count && members.allSatisfy { name, value in others[name].map(value.isSame) ?? false }
    case (.array(let elements), .array(let others)):
      elements.count == others.count && zip(elements, others).allSatisfy { $0.isSame(as: $1) }
    case (.string, .string):
      self == other || jsonInside.flatMap { inside in other.jsonInside.map(inside.isSame) } ?? false
    default: self == other
    }
  }

  /// The texts, numbers and other single values inside, with their places; at most a thousand.
  var leaves: [(pointer: JSONPointer, value: JSONValue)] {
    var leaves: [(JSONPointer, JSONValue)] = []
    func add(_ value: JSONValue, _ place: [String]) {
      guard leaves.count < 1000 else { return }
      switch value {
      case .string, .number, .bool, .null: leaves.append((JSONPointer(tokens: place), value))
      case .object(let members):
        for (name, member) in members.sorted(by: { $0.key < $1.key }) { add(member, place + [name]) }
      case .array(let elements): for (index, element) in elements.enumerated() { add(element, place + ["\(index)"]) }
      }
    }
    add(self, [])
    return leaves
  }
}

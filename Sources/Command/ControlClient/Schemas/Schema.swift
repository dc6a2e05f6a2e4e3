package import BridgeCore

/// A JSON schema of the OpenAPI document (JSON Schema 2020-12), with the document that resolves its references.
package struct Schema: Sendable {
  /// The schema with unresolved references, as written.
  package let value: JSONValue
  private let root: JSONValue

  /// A schema of a document.
  package init(_ value: JSONValue, in root: JSONValue) {
    self.value = value
    self.root = root
  }

  /// The longest chain of references.
  private static let referenceLimit = 16

  /// Resolves references in a document. Keeps a reference whose target does not exist.
  static func resolve(in root: JSONValue) -> (JSONValue) -> JSONValue {
    { value in
      var value = value
      for _ in 0..<referenceLimit {
        guard let target = value["$ref"]?.stringValue.flatMap({ target(of: $0, in: root) }) else { break }
        value = target
      }
      return value
    }
  }

  private static func target(of reference: String, in root: JSONValue) -> JSONValue? {
    guard reference.hasPrefix("#/") else { return nil }
    return reference.dropFirst(2).split(separator: "/").reduce(.some(root)) { $0?[String($1)] }
  }

  /// The schema with its reference resolved. Keywords next to the reference stay.
  package var resolved: Schema {
    guard let members = value.objectValue, members["$ref"] != nil else { return self }
    var target = Schema.resolve(in: root)(value).objectValue ?? [:]
    if target["$ref"] != nil { return self }
    for (name, member) in members where name != "$ref" {
      if let there = target[name]?.objectValue, let here = member.objectValue {
        target[name] = .object(there.merging(here) { _, here in here })
      } else if let there = target[name]?.arrayValue, let here = member.arrayValue, name == "required" {
        target[name] = .array(there + here)
      } else {
        target[name] = member
      }
    }
    return Schema(.object(target), in: root)
  }

  /// A keyword of the schema.
  package subscript(_ keyword: String) -> JSONValue? { resolved.value[keyword] }

  /// The description.
  package var description: String { self["description"]?.stringValue ?? "" }

  /// The allowed types; empty for all.
  package var types: [String] {
    switch self["type"] {
    case .string(let type): [type]
    case .array(let types): types.compactMap(\.stringValue)
    default: alternatives.isEmpty ? [] : alternatives.flatMap(\.types)
    }
  }

  /// The allowed values (`enum`); nil for all.
  package var values: [JSONValue]? { self["enum"]?.arrayValue ?? self["const"].map { [$0] } }

  /// The alternatives: a value must match one of these schemas.
  package var alternatives: [Schema] {
    (self["oneOf"]?.arrayValue ?? self["anyOf"]?.arrayValue ?? []).map { Schema($0, in: root) }
  }

  /// The names of the required members, in the document's order.
  package var required: [String] { self["required"]?.arrayValue?.compactMap(\.stringValue) ?? [] }

  /// The schemas of the members of an object, without those of its alternatives.
  var ownProperties: [String: Schema] {
    (self["properties"]?.objectValue ?? [:]).mapValues { Schema($0, in: root) }
  }

  /// The schemas of the members of an object, those of its alternatives among them.
  package var properties: [String: Schema] {
    alternatives.reduce(ownProperties) { $0.merging($1.properties) { first, _ in first } }
  }

  /// The names of the members of an object: the required ones in the document's order, then the others by name.
  package var names: [String] {
    let required = required
    return required.filter { properties[$0] != nil } + properties.keys.filter { !required.contains($0) }.sorted()
  }

  /// The schema of the elements of a list, also if a list is only one of the alternatives.
  package var items: Schema? {
    self["items"].map { Schema($0, in: root) } ?? alternatives.lazy.compactMap(\.items).first
  }

  /// The schema of a member with this name; nil if there can be none.
  package func member(_ name: String) -> Schema? {
    if let property = properties[name] { return property }
    switch self["additionalProperties"] {
    case .bool(false): return nil
    case .object(let schema): return Schema(.object(schema), in: root)
    default: return types.isEmpty || types.contains("object") ? Schema([:], in: root) : nil
    }
  }

  /// The schema for use outside of the document: the targets of its references are copied into its `$defs`.
  package var standalone: JSONValue {
    var definitions: [String: JSONValue] = [:]
    var schema = moved(value, &definitions).objectValue ?? [:]
    if !definitions.isEmpty { schema["$defs"] = .object(definitions) }
    return .object(schema)
  }

  private static let prefix = "#/components/schemas/"

  private func moved(_ value: JSONValue, _ definitions: inout [String: JSONValue]) -> JSONValue {
    switch value {
    case .array(let elements): return .array(elements.map { moved($0, &definitions) })
    case .object(var members):
      if let reference = members["$ref"]?.stringValue, reference.hasPrefix(Self.prefix) {
        let name = String(reference.dropFirst(Self.prefix.count))
        if definitions[name] == nil, let target = Self.target(of: reference, in: root) {
          // Set first, so that a schema may refer to itself.
          definitions[name] = true
          definitions[name] = moved(target, &definitions)
        }
        members["$ref"] = .string("#/$defs/\(name)")
      }
      for (name, member) in members where name != "$ref" { members[name] = moved(member, &definitions) }
      return .object(members)
    default: return value
    }
  }
}

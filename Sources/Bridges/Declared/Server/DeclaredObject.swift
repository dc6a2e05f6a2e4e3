package import BridgeCore

/// An object that native puts into `window`: methods that send messages, and properties.
package struct DeclaredObject: Sendable, Hashable {
  /// What a member of the object is.
  package enum Member: Sendable, Hashable {
    /// A method that sends a message and returns this value, without waiting for an answer.
    case returns(JSONTemplate)
    /// A method that returns the answer. The page's script waits for it.
    case now
    /// A method that sends a message and returns nothing.
    case message
    /// A method that returns a promise of the answer.
    case promise
    /// A property.
    case value(JSONValue)
    /// A property such as `onmessage`, which hears the events of this type that native dispatches on the object.
    case event(String)
  }

  /// A member with the members of the message that its arguments are; nil for a message that is the arguments themselves.
  package struct Entry: Sendable, Hashable {
    /// What the member is.
    package let member: Member
    /// The names of the arguments.
    package let arguments: [String]?
  }

  /// The path from `window`.
  package let path: [String]
  /// The members by their names.
  package let members: [String: Entry]

  /// The path as text.
  package var name: String { path.joined(separator: ".") }

  /// The object in the shim's configuration. Messages of a method have its name. With `isOneOfMany`, the name of the object comes before it.
  func json(isOneOfMany: Bool) -> JSONValue {
    let prefix = isOneOfMany ? "\(name)." : ""
    let members = members.map { ($0, $1.json(name: prefix + $0)) }
    return [
      "path": .array(path.map { .string($0) }),
      "members": .object(Dictionary(uniqueKeysWithValues: members)),
    ]
  }
}

extension DeclaredObject.Entry {
  fileprivate func json(name: String) -> JSONValue {
    var json: [String: JSONValue] = ["name": .string(name)]
    json["args"] = arguments.map { .array($0.map { .string($0) }) }
    switch member {
    case .returns(let template): (json["kind"], json["of"]) = ("returns", template.json)
    case .now: json["kind"] = "now"
    case .message: json["kind"] = "message"
    case .promise: json["kind"] = "promise"
    case .value(let value): (json["kind"], json["of"]) = ("value", value)
    case .event(let type): (json["kind"], json["of"]) = ("event", .string(type))
    }
    return .object(json)
  }
}

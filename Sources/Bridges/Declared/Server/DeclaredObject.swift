import BridgeCore

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
    /// A method that gives the answer to the function among its arguments.
    case callback
    /// A property. That of an instance is filled from the arguments of the constructor.
    case value(JSONTemplate)
    /// A property such as `onmessage`, which hears the events of this type that native dispatches on the object.
    case event(String)
    /// What makes the object a class: its instances have these members. With `isNow`, the page's script waits for the answer, which can be an
    /// error.
    case constructor([String: Entry], isNow: Bool)
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

  /// Whether the page makes instances of it.
  var isClass: Bool {
    if case .constructor = members[DeclaredObjectNode.constructor]?.member { true } else { false }
  }

  /// The object in the shim's configuration. Messages of a method have its name. With `isOneOfMany`, the name of the object comes before it.
  func json(isOneOfMany: Bool) -> JSONValue {
    ["path": .array(path.map { .string($0) }), "members": members.json(prefix: isOneOfMany ? "\(name)." : "")]
  }
}

extension [String: DeclaredObject.Entry] {
  fileprivate func json(prefix: String, isOfInstance: Bool = false) -> JSONValue {
    .object(
      [String: JSONValue](
        uniqueKeysWithValues: map { ($0, $1.json(name: $0, prefix: prefix, isOfInstance: isOfInstance)) }))
  }
}

extension DeclaredObject.Entry {
  fileprivate func json(name: String, prefix: String, isOfInstance: Bool) -> JSONValue {
    var json: [String: JSONValue] = ["name": .string(prefix + name)]
    json["args"] = arguments.map { .array($0.map { .string($0) }) }
    switch member {
    case .returns(let template): (json["kind"], json["of"]) = ("returns", template.json)
    case .now: json["kind"] = "now"
    case .message: json["kind"] = "message"
    case .promise: json["kind"] = "promise"
    case .callback: json["kind"] = "callback"
    case .value(let template):
      (json["kind"], json["of"]) = ("value", isOfInstance ? template.json : template.filled(from: .null))
    case .event(let type): (json["kind"], json["of"]) = ("event", .string(type))
    case .constructor(let members, let isNow):
      json["kind"] = isNow ? "now" : "message"
      json["members"] = members.json(prefix: prefix, isOfInstance: true)
    }
    return .object(json)
  }
}

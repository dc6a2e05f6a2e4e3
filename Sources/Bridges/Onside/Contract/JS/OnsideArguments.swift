import BridgeCore

/// The arguments of a call of `window.onside`, as the page sent them.
struct OnsideArguments {
  /// An argument that is missing or has the wrong type.
  struct Failure: Error {
    /// What is wrong, for people.
    let message: String
  }

  private let values: [String: JSONValue]

  init(_ values: [String: JSONValue]) {
    self.values = values
  }

  func string(_ name: String) throws(Failure) -> String {
    guard let value = values[name]?.stringValue else { throw Failure(message: "\(name) must be a string.") }
    return value
  }

  /// Absent, `undefined` and `null` are all nil, as for an optional in Swift.
  func optionalString(_ name: String) throws(Failure) -> String? {
    switch values[name] {
    case nil, .null: nil
    case .string(let value)?: value
    default: throw Failure(message: "\(name) must be a string.")
    }
  }

  func bool(_ name: String) throws(Failure) -> Bool {
    guard let value = values[name]?.boolValue else { throw Failure(message: "\(name) must be true or false.") }
    return value
  }

  func strings(_ name: String) throws(Failure) -> [String] {
    guard let elements = values[name]?.arrayValue else {
      throw Failure(message: "\(name) must be an array of strings.")
    }
    var strings: [String] = []
    for element in elements {
      guard let string = element.stringValue else { throw Failure(message: "\(name) must be an array of strings.") }
      strings.append(string)
    }
    return strings
  }

  func optionalObject(_ name: String) throws(Failure) -> [String: JSONValue] {
    switch values[name] {
    case nil, .null: [:]
    case .object(let members)?: members
    default: throw Failure(message: "\(name) must be an object.")
    }
  }
}

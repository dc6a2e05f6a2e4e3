import BridgeCore
import Yams

extension YAMLNode {
  /// The members of a mapping as JSON.
  func jsonMembers() throws(OptionError) -> [String: JSONValue] {
    var json: [String: JSONValue] = [:]
    for (name, value) in try members() { json[name] = try value.json() }
    return json
  }

  /// The value as JSON: plain `true`, `12`, `1.5` and `null` are what they look like, quoted they are text.
  func json() throws(OptionError) -> JSONValue {
    if isMapping { return .object(try jsonMembers()) }
    if isList {
      var json: [JSONValue] = []
      for element in try elements() { json.append(try element.json()) }
      return .array(json)
    }
    switch tag {
    case .null: return .null
    case .bool: return .bool(try bool())
    case .int, .float:
      guard let number = double, number.isFinite else { throw expected("a number that JSON has") }
      return .number(number)
    default: return .string(try text())
    }
  }
}

package import BridgeCore

/// A tracked event after the host has checked it, as a collector of analytics would get it. Tests search the journal for it.
package struct NativeEvent: Sendable {
  /// The accepted name; the page's own name if the event was dropped.
  private let name: String
  /// The parameters that were accepted.
  private let parameters: [String: JSONValue]
  /// Whether the event was accepted, perhaps in part.
  private let isAccepted: Bool
  private var cuts: [JSONValue] = []
  private var drops: [JSONValue] = []

  /// The maximum number of characters of a name that was not accepted.
  private static let nameLimit = 200

  /// Creates an event without cut or dropped parts.
  package init(name: String, parameters: [String: JSONValue] = [:], isAccepted: Bool = true) {
    self.name = Self.cut(name)
    self.parameters = parameters
    self.isAccepted = isAccepted
  }

  /// Notes that a parameter was cut; with nil, that the name was cut.
  package mutating func cut(_ parameter: String?, _ reason: String) { cuts.append(part(parameter, reason)) }

  /// Notes that a parameter was dropped; with nil, that the event was dropped.
  package mutating func drop(_ parameter: String?, _ reason: String) { drops.append(part(parameter, reason)) }

  private func part(_ parameter: String?, _ reason: String) -> JSONValue {
    var members: [String: JSONValue] = ["reason": .string(reason)]
    members["parameter"] = parameter.map { .string(Self.cut($0)) }
    return .object(members)
  }

  private static func cut(_ name: String) -> String {
    name.count > nameLimit ? name.prefix(nameLimit) + "…" : name
  }

  /// The event as the journal shows it.
  package var members: [String: JSONValue] {
    [
      "name": .string(name), "accepted": .bool(isAccepted), "parameters": .object(parameters), "cut": .array(cuts),
      "dropped": .array(drops),
    ]
  }
}

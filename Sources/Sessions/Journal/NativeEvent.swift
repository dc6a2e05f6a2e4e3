package import BridgeCore

/// What native made of an event that a page has tracked: what a collector of analytics gets. Tests look for it in the journal.
package struct NativeEvent: Sendable {
  /// The name, as it was accepted; that of the page if the event was dropped.
  private let name: String
  /// The parameters that were accepted.
  private let parameters: [String: JSONValue]
  /// Whether the event was accepted, perhaps in part.
  private let isAccepted: Bool
  private var cuts: [JSONValue] = []
  private var drops: [JSONValue] = []

  /// The maximum number of characters of a name that the page has chosen and native has not accepted.
  private static let nameLimit = 200

  /// An event of which nothing was cut or dropped, unless it is not accepted at all.
  init(name: String, parameters: [String: JSONValue] = [:], isAccepted: Bool = true) {
    self.name = Self.cut(name)
    self.parameters = parameters
    self.isAccepted = isAccepted
  }

  /// A parameter was cut, or, without one, the name.
  mutating func cut(_ parameter: String?, _ reason: String) { cuts.append(part(parameter, reason)) }

  /// A parameter was dropped, or, without one, the event.
  mutating func drop(_ parameter: String?, _ reason: String) { drops.append(part(parameter, reason)) }

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

extension SessionContext {
  /// Records in the journal what native made of an event. `action` is that of the page's message.
  func note(_ event: NativeEvent, action: String) {
    journal.append(.event, action: action, data: event.members)
  }
}

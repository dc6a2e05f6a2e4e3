import BridgeCore
import BridgeRuntime
import HTTPTypes

/// Routes that describe bridges: those of the server, and those of a session.
enum BridgeRoutes {
  static let all = [
    ControlRoute(.get, "/bridges") { request in .json(list(request.sessions.bridgeTable)) },
    ControlRoute(.get, "/sessions/{session}/bridges") { request in
      .json(list(try await request.session().bridgeTable))
    },
  ]

  private static func list(_ table: BridgeTable) -> JSONValue {
    ["bridges": .array(table.definitions.map(\.json))]
  }
}

extension BridgeDefinition {
  /// The bridge as the control API shows it, with the actions that rules can name.
  fileprivate var json: JSONValue {
    let named = knownRuleActions.compactMap { name in ruleAction(name).map { (name, resultMember(of: $0)) } }
    let sheets = sheetKinds.map { (RuleAction.sheetPrefix + $0, String?.none) }
    return [
      "name": .string(name), "declared": .bool(self is DeclaredDefinition),
      "prefix": messages.contains(.madeByShim) ? .string("\(name).") : .null, "values": .bool(carriesValues),
      "actions": .array(
        (named + sheets).map { name, result in
          var action: [String: JSONValue] = ["name": .string(name)]
          action["result"] = result.map { .string($0) }
          return .object(action)
        }),
    ]
  }
}

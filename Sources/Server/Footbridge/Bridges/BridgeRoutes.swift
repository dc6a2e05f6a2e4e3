import BridgeCore
import BridgeRuntime
import BridgeServer
import DeclaredServer
import HTTPTypes
import Sessions

/// Routes that describe bridges: those of the server, and those of a session.
enum BridgeRoutes {
  static let all = [
    ControlRoute(.get, "/bridges") { request in
      .json([
        "bridges": .array(request.sessions.bridgeTable.definitions.map { .object($0.json(variant: $0.usualVariant)) })
      ])
    },
    ControlRoute(.get, "/sessions/{session}/bridges") { request in
      let session = try await request.session()
      let bridges = zip(session.bridgeTable.definitions, session.bridges).map { definition, bridge in
        var members = definition.json(variant: bridge.shimVariant ?? definition.usualVariant)
        if let declared = bridge as? DeclaredSession {
          members["answers"] = .array(declared.answeredNames.map { .string($0) })
          members["handler"] = .bool(declared.hasHandler)
          members["own"] = .bool(session.hasOwnBridge(definition.name))
        }
        return JSONValue.object(members)
      }
      return .json(["bridges": .array(bridges)])
    },
  ]
}

extension BridgeDefinition {
  /// The bridge as the control API shows it, with the actions that rules can name in a session with this variant.
  fileprivate func json(variant: String) -> [String: JSONValue] {
    let rules = rules
    let named = rules.knownActions.compactMap(rules.action).map { action in
      var members: [String: JSONValue] = ["name": .string(action.name)]
      members["result"] = rules.resultMember(action).map { .string($0) }
      let errors = rules.errors(action, variant)
      if !errors.isEmpty { members["errors"] = .array(errors.map { .string($0) }) }
      return JSONValue.object(members)
    }
    let sheets = sheetKinds.map { JSONValue.object(["name": .string(RuleAction.sheetPrefix + $0)]) }
    return [
      "name": .string(name), "declared": .bool(self is DeclaredDefinition),
      "prefix": messages.contains(.madeByShim) ? .string("\(name).") : .null, "values": .bool(carriesValues),
      "actions": .array(named + sheets),
    ]
  }
}

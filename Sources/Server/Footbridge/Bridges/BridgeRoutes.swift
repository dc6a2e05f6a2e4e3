import Sessions
import DeclaredServer
import BridgeServer
import BridgeCore
import BridgeRuntime
import HTTPTypes

/// Routes that describe bridges: those of the server, and those of a session.
enum BridgeRoutes {
  static let all = [
    ControlRoute(.get, "/bridges") { request in
      .json(["bridges": .array(request.sessions.bridgeTable.definitions.map { $0.json(variant: $0.usualVariant) })])
    },
    ControlRoute(.get, "/sessions/{session}/bridges") { request in
      let session = try await request.session()
      let bridges = zip(session.bridgeTable.definitions, session.bridges)
      return .json(["bridges": .array(bridges.map { $0.json(variant: $1.shimVariant ?? $0.usualVariant) })])
    },
  ]
}

extension BridgeDefinition {
  /// The bridge as the control API shows it, with the actions that rules can name in a session with this variant.
  fileprivate func json(variant: String) -> JSONValue {
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

import BridgeCore
import BridgeRuntime
import BridgeServer
import HTTPTypes
import Sessions

/// Routes of a session's rules, gates and scenario.
enum RuleRoutes {
  static let all = [
    ControlRoute(.get, "/sessions/{session}/rules") { request in
      .json(["rules": .array(try await request.session().rules.list.entries.map(\.json))])
    },
    ControlRoute(.post, "/sessions/{session}/rules", bodyLimit: ControlRoute.messageBodyLimit) { request in
      let session = try await request.session()
      let new = try RuleNode(try await request.body(), session.bridgeTable).rule
      try session.check([new])
      guard let id = session.rules.add(new) else {
        throw ControlProblem.conflict(session.rules.objection(toAdding: new))
      }
      return .created(try rule(id, session), location: "/sessions/\(session.id)/rules/\(id)")
    },
    ControlRoute(.delete, "/sessions/{session}/rules") { request in
      try await request.session().rules.removeAllRules()
      return .noContent
    },
    ControlRoute(.get, "/sessions/{session}/rules/{rule}") { request in
      .json(try rule(request.parameter("rule"), try await request.session()))
    },
    ControlRoute(.delete, "/sessions/{session}/rules/{rule}") { request in
      let id = request.parameter("rule")
      guard try await request.session().rules.removeRule(id) else { throw noRule(id) }
      return .noContent
    },
    ControlRoute(.get, "/sessions/{session}/gates") { request in
      .json(["gates": .array(try await request.session().rules.holds.map(\.json))])
    },
    ControlRoute(.post, "/sessions/{session}/gates/{gate}/release") { request in
      let gate = request.parameter("gate")
      let session = try await request.session()
      switch session.rules.openGate(gate) {
      case .opened(let count): return .json(["released": .number(Double(count))])
      case .unknown:
        throw ControlProblem.notFound("There is no gate \(gate): no rule names it, and no call waits at it.")
      case .tooMany:
        throw ControlProblem.conflict(
          "The gates of this session already let \(SessionRules.openingLimit) calls pass that have not come yet. Wait for some of them."
        )
      case .full: throw ControlProblem.conflict(session.rules.lackOfSpace)
      }
    },
    ControlRoute(.get, "/scenarios") { request in
      .json(["scenarios": .array(request.sessions.scenarios.map { .string($0) })])
    },
    ControlRoute(.put, "/sessions/{session}/scenario") { request in
      let session = try await request.session()
      let body = try await request.body()
      guard let name = try body.section(["name"])["name"] else { throw body.expected("an object with a name") }
      try session.check(session.rules(ofScenario: try name.text()))
      try session.begin(scenario: try name.text())
      return .json(session.json)
    },
  ]

  @BridgeActor
  private static func rule(_ id: String, _ session: Session) throws(ControlProblem) -> JSONValue {
    guard let entry = session.rules.list.entries.first(where: { $0.id == id }) else { throw noRule(id) }
    return entry.json
  }

  private static func noRule(_ id: String) -> ControlProblem {
    .notFound("There is no rule \(id). A rule is removed when it has decided as many calls as its times allow.")
  }
}

extension GateStateMachine<SessionRules.Waiter>.Hold {
  /// The waiting call, as the control API shows it.
  fileprivate var json: JSONValue {
    var members: [String: JSONValue] = [
      "id": .string(id), "name": .string(name), "action": .string(waiter.subject.action),
      "heldSince": .string(waiter.since.rfc3339),
    ]
    if let page = waiter.subject.pageID { members["page"] = .string(page) }
    if let correlationID = waiter.subject.correlationID { members["correlationId"] = .string(correlationID) }
    return .object(members)
  }
}

import BridgeCore
import BridgeRuntime
import BridgeServer
import HTTPTypes
import Sessions

/// Routes of the linter: its rules, and its findings in a session.
enum LintRoutes {
  static let all = [
    ControlRoute(.get, "/lint") { request in
      let silenced = request.sessions.options.silencedRules
      let rules = request.sessions.bridgeTable.lintRules.values.sorted { $0.id < $1.id }
      return .json(["rules": .array(rules.map { $0.json(isOn: !silenced.contains($0.id)) })])
    },
    ControlRoute(.get, "/sessions/{session}/lint") { request in
      .json(try await request.session().lint.json)
    },
    ControlRoute(.post, "/sessions/{session}/lint/conclude") { request in
      let session = try await request.session()
      await session.waitForPendingLint()
      session.tell(.testEnds)
      return .json(session.lint.json)
    },
    ControlRoute(.post, "/sessions/{session}/lint/expected") { request in
      let session = try await request.session()
      let body = try await request.body()
      guard let rules = try body.section(["rules"])["rules"] else { throw body.expected("an object with rules") }
      for id in try rules.list({ node throws(OptionError) in try node.lintRule(of: session.bridgeTable) }) {
        session.lint.expect(id)
      }
      return .json(session.lint.json)
    },
  ]
}

extension LintRule {
  /// The rule as the control API shows it.
  fileprivate func json(isOn: Bool) -> JSONValue {
    [
      "id": .string(id), "severity": .string(severity.rawValue), "title": .string(title),
      "contract": .string(contract), "section": .string(section), "advice": .string(advice), "on": .bool(isOn),
    ]
  }
}

extension InputNode {
  /// The id of a rule of the linter.
  ///
  /// - Throws: `OptionError` if there is no such rule, with the name that was probably meant.
  func lintRule(of table: BridgeTable) throws(OptionError) -> String {
    try lintRule(try text(), of: table)
  }

  /// Checks that a rule of the linter has this id.
  func lintRule(_ id: String, of table: BridgeTable) throws(OptionError) -> String {
    let rules = table.knownLintRules
    if rules.contains(id) { return id }
    let meant = Spelling.suggestion(for: id, in: rules)
    throw OptionError(
      "\(place) names \(id), and the linter has no such rule.\(meant) There are: \(rules.joined(separator: ", ")).")
  }
}

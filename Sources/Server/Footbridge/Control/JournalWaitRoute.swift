import BridgeCore
import BridgeRuntime
import BridgeServer
import HTTPTypes
import Sessions

/// `POST /sessions/{session}/journal/wait` and `…/journal/count`: look for entries of the journal.
enum JournalWaitRoute {
  /// The longest and the default timeout, in milliseconds.
  private static let longestTimeout = 120_000
  private static let usualTimeout = 5000

  /// The members of entries that a pattern can have.
  private static let members = [
    "action", "cause", "correlationId", "cursor", "data", "error", "kind", "note", "page", "status", "time",
  ]

  static let all = [
    ControlRoute(.post, "/sessions/{session}/journal/wait", isReading: true) { request in
      let session = try await request.session()
      let body = try await request.body()
      let members = try body.section(["after", "until", "timeout"])
      guard let until = members["until"] else { throw body.expected("an object with until") }
      let after = try members["after"]?.integer(in: JournalEntry.cursors) ?? 0
      let timeout = try members["timeout"]?.integer(in: 0...longestTimeout) ?? usualTimeout
      request.exchange.waitsForEvents = true
      let wait = JournalWait(until: try pattern(until, session.bridgeTable))
      switch await wait.run(session.journal, after: after, timeout: .milliseconds(timeout)) {
      case .found(let entry, let next): return .json(["entry": entry, "next": .number(Double(next))])
      case .timedOut(let misses): throw timedOut(after: timeout, misses)
      case .ended(.deleted): throw ControlProblem.notFound("The session has been deleted.")
      case .ended(.moved): throw ControlProblem.moved
      }
    },
    ControlRoute(.post, "/sessions/{session}/journal/count", isReading: true) { request in
      let session = try await request.session()
      let body = try await request.body()
      let members = try body.section(["after", "of"])
      guard let of = members["of"] else { throw body.expected("an object with of") }
      let after = try members["after"]?.integer(in: JournalEntry.cursors) ?? 0
      let (entries, misses) = session.journal.entries(matching: try pattern(of, session.bridgeTable), after: after)
      return .json([
        "count": .number(Double(entries.count)), "entries": .array(entries), "nearestMisses": json(misses),
      ])
    },
  ]

  private static func pattern(_ node: InputNode, _ bridges: BridgeTable) throws(OptionError) -> JSONPattern {
    let wanted = try node.section(members)
    if wanted.isEmpty { throw node.expected("an object with at least one of: \(members.joined(separator: ", "))") }
    let kind = try wanted["kind"]?.choice(JournalEntry.Kind.self)
    if let action = wanted["action"], !action.isMapping {
      switch kind {
      case .sheetOpened:
        try check(action, isOneOf: bridges.sheetKinds, otherwise: "the session has no such sheet")
      case .request, .response:
        try check(action, isOfBridge: bridges)
        guard let requests = bridges.requests(like: try action.text()) else { break }
        try check(action, isOneOf: requests, otherwise: "no page makes such a request")
      default: break
      }
      let data = try wanted["data"]?.json() ?? .null
      if let problem = bridges.problem(withPattern: data, of: try action.text(), isSheet: kind == .sheetOpened) {
        throw OptionError("\((wanted["data"] ?? node).place) names what never comes. \(problem)")
      }
    }
    return try node.pattern()
  }

  /// Refuses a name of something that never comes: to wait for it would be in vain, and its absence would say nothing.
  private static func check(
    _ node: InputNode, isOneOf names: [String], otherwise objection: String
  ) throws(OptionError) {
    let name = try node.text()
    if names.contains(name) { return }
    let meant = Spelling.suggestion(for: name, in: names)
    throw OptionError(
      "\(node.place) names \(name), and \(objection).\(meant) There are: \(names.joined(separator: ", ")).")
  }

  /// Refuses an action whose bridge is probably misspelled. Pages can use any action of GBGBridge, so there is a form for those.
  private static func check(_ node: InputNode, isOfBridge bridges: BridgeTable) throws(OptionError) {
    let action = try node.text()
    guard let meant = bridges.action(ofBridgeLike: action) else { return }
    throw OptionError(
      "\(node.place) names \(action), and no bridge has this name. Did you mean \(meant)? "
        + "For an action of your own pages, write { $equals: \(action) }.")
  }

  private static func timedOut(after milliseconds: Int, _ misses: [NearestMisses.Miss]) -> ControlProblem {
    var detail = "No entry matched within \(milliseconds) ms"
    if let nearest = misses.first, let cursor = nearest.object["cursor"]?.numberValue {
      detail += ". Entry \(Int(cursor)) came nearest: \(nearest.differences.joined(separator: ", and "))"
    }
    return ControlProblem(
      status: .requestTimeout,
      detail: detail + ".",
      members: ["nearestMisses": json(misses)]
    )
  }

  private static func json(_ misses: [NearestMisses.Miss]) -> JSONValue {
    .array(misses.map { ["entry": $0.object, "differences": .array($0.differences.map { .string($0) })] })
  }
}

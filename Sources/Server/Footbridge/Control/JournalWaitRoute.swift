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
      case .sheetOpened: try check(sheetKind: action, bridges)
      case .request, .response: try check(request: action, bridges)
      default: break
      }
    }
    return try node.pattern()
  }

  /// A sheet of a kind that no bridge of the session has never opens.
  private static func check(sheetKind node: InputNode, _ bridges: BridgeTable) throws(OptionError) {
    let kind = try node.text()
    let kinds = bridges.sheetKinds
    if kinds.contains(kind) { return }
    let meant = Spelling.suggestion(for: kind, in: kinds)
    throw OptionError(
      "\(node.place) names \(kind), and the session has no such sheet.\(meant) There are: \(kinds.joined(separator: ", "))."
    )
  }

  /// A request that no page can make never comes, so its absence would say nothing.
  private static func check(request node: InputNode, _ bridges: BridgeTable) throws(OptionError) {
    let action = try node.text()
    guard let requests = bridges.requests(like: action), !requests.contains(action) else { return }
    let meant = Spelling.suggestion(for: action, in: requests)
    throw OptionError(
      "\(node.place) names \(action), and no page makes such a request.\(meant) There are: \(requests.joined(separator: ", "))."
    )
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

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
      let journal = try await request.session().journal
      let body = try await request.body()
      let members = try body.section(["after", "until", "timeout"])
      guard let until = members["until"] else { throw body.expected("an object with until") }
      let after = try members["after"]?.integer(in: JournalEntry.cursors) ?? 0
      let timeout = try members["timeout"]?.integer(in: 0...longestTimeout) ?? usualTimeout
      request.exchange.waitsForEvents = true
      let wait = JournalWait(until: try pattern(until))
      switch await wait.run(journal, after: after, timeout: .milliseconds(timeout)) {
      case .found(let entry, let next): return .json(["entry": entry, "next": .number(Double(next))])
      case .timedOut(let misses): throw timedOut(after: timeout, misses)
      case .ended(.deleted): throw ControlProblem.notFound("The session has been deleted.")
      case .ended(.moved): throw ControlProblem.moved
      }
    },
    ControlRoute(.post, "/sessions/{session}/journal/count", isReading: true) { request in
      let journal = try await request.session().journal
      let body = try await request.body()
      let members = try body.section(["after", "of"])
      guard let of = members["of"] else { throw body.expected("an object with of") }
      let after = try members["after"]?.integer(in: JournalEntry.cursors) ?? 0
      let (entries, misses) = journal.entries(matching: try pattern(of), after: after)
      return .json([
        "count": .number(Double(entries.count)), "entries": .array(entries), "nearestMisses": json(misses),
      ])
    },
  ]

  private static func pattern(_ node: InputNode) throws(OptionError) -> JSONPattern {
    let wanted = try node.section(members)
    if wanted.isEmpty { throw node.expected("an object with at least one of: \(members.joined(separator: ", "))") }
    _ = try wanted["kind"]?.choice(JournalEntry.Kind.self)
    return try node.pattern()
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

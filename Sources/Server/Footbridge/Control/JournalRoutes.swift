import BridgeCore
import BridgeRuntime
import BridgeServer
import HTTPTypes
import Sessions

/// Routes of a session's journal: page by page, as a whole, and as a stream.
enum JournalRoutes {
  /// The default and the largest number of entries in a page.
  private static let usualLimit = 1000
  private static let largestLimit = JournalBuffer.entryLimit

  static let all = [
    ControlRoute(.get, "/sessions/{session}/journal", query: ["after", "limit", "kind", "format"]) { request in
      let journal = try await request.session().journal
      let isLines = try isJSONLines(request)
      let (entries, next, dropped) = journal.entries(
        after: try request.integer("after", in: JournalEntry.cursors) ?? 0,
        limit: try request.integer("limit", in: 1...largestLimit) ?? (isLines ? largestLimit : usualLimit),
        kind: try request.choice("kind", JournalEntry.Kind.self)
      )
      if isLines { return .lines(entries.map(\.json)) }
      return .json([
        "entries": .array(entries.map(\.json)), "next": .number(Double(next)), "dropped": .number(Double(dropped)),
      ])
    },
    ControlRoute(.get, "/events", query: ["session", "after"]) { request in
      guard let id = request.query["session"] else {
        throw ControlProblem.badRequest("The query must name a session: ?session=ID.")
      }
      guard let session = try await request.sessions.session(id: id) else {
        throw ControlProblem.notFound("There is no session \(id).")
      }
      let after = try request.lastEventID() ?? request.integer("after", in: JournalEntry.cursors)
      await JournalStream(session.journal, after: after ?? session.journal.lastCursor).run(request.exchange)
      return .answered
    },
  ]

  @BridgeActor
  private static func isJSONLines(_ request: ControlRequest) throws(ControlProblem) -> Bool {
    switch request.query["format"] {
    case nil: request.exchange.head.fields[.accept]?.lowercased().hasPrefix(ControlResponse.linesType) == true
    case "jsonl": true
    case "json": false
    case let other?: throw .badRequest("format must be json or jsonl. It is \(other).")
    }
  }
}

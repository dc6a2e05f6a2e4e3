import BridgeCore
import BridgeRuntime
import BridgeServer
import HTTPTypes
import Sessions

/// Routes that list, create, change and delete sessions.
enum SessionRoutes {
  static func all(_ server: ControlContext) -> [ControlRoute] {
    [
      ControlRoute(.get, "/sessions") { request in
        let others = await server.sessionsElsewhere(for: request)
        return .json(["sessions": .array(request.sessions.running.map(\.json) + others)])
      },
      ControlRoute(.post, "/sessions", bodyLimit: SessionFile.byteLimit) { request in
        let changes = try SessionChanges(try await request.body(), isNew: true, request.sessions.bridgeTable)
        let (session, cookieValue) = request.sessions.create(
          name: changes.newName, beginsUsualScenario: changes.beginsUsualScenario,
          from: try await changes.start(in: request.sessions))
        do {
          try changes.apply(to: session)
          var members = session.json.objectValue ?? [:]
          members["cookie"] = cookie(cookieValue, server.pageOrigin(for: request))
          if let sites = server.proxiedSites { members.merge(sites.members(cookieValue, request)) { $1 } }
          try await session.waitUntilStored()
          return .created(.object(members), location: "/sessions/\(session.id)")
        } catch {
          // Nobody knows its id.
          try? await request.sessions.delete(session)
          throw error
        }
      },
      ControlRoute(.get, "/sessions/{session}") { request in
        .json(try await request.session().json)
      },
      ControlRoute(.patch, "/sessions/{session}") { request in
        let session = try await request.session()
        try SessionChanges(try await request.body(), isNew: false, session.bridgeTable).apply(to: session)
        return .json(session.json)
      },
      ControlRoute(.delete, "/sessions/{session}", query: ["failed"]) { request in
        let hasFailed = try request.flag("failed")
        let session = try await request.session()
        if hasFailed { server.failedSessions.add(session) }
        do throws(StoreFailure) { try await request.sessions.delete(session) } catch {
          throw ControlProblem.unstored(error)
        }
        return .noContent
      },
      ControlRoute(.post, "/sessions/{session}/reset") { request in
        try await restart(request) { request.sessions.reset($0) }
      },
      ControlRoute(.post, "/sessions/{session}/reinstall") { request in
        try await restart(request) { request.sessions.reinstall($0) }
      },
      ControlRoute(.post, "/sessions/{session}/relaunch") { request in
        try await restart(request) { request.sessions.relaunch($0) }
      },
    ]
  }

  /// Begins the session of a request anew.
  @BridgeActor
  private static func restart(
    _ request: ControlRequest, _ restart: (Session) -> Void
  ) async throws -> ControlResponse {
    let session = try await request.session()
    restart(session)
    try await request.sessions.running(id: session.id)?.waitUntilStored(
      outcome: "The session is as it was, but its app was launched again")
    return .noContent
  }

  /// The cookie in the form of Playwright's `addCookies`.
  @BridgeActor
  private static func cookie(_ value: String, _ origin: String) -> JSONValue {
    let name = SessionCookie.usual.name(isSecure: origin.hasPrefix("https:"))
    return [
      "name": .string(name), "value": .string(value), "url": .string(origin + "/"), "httpOnly": true,
      "sameSite": "Lax",
    ]
  }
}

extension Session {
  /// The session as the control API shows it.
  var json: JSONValue {
    var members: [String: JSONValue] = [
      "id": .string(id),
      "name": profile.name.map { .string($0) } ?? .null,
      "platform": .string(platform.rawValue),
      "present": .string(sheets.mode.rawValue),
      "pages": .array(pages.map(\.json)),
      "openSheets": .number(Double(sheets.open.count)),
      "lintErrors": .number(Double(lint.errorCount)),
      "clock": clock.json,
      "entries": .number(Double(journal.entryCount)),
      "cursor": .number(Double(journal.lastCursor)),
      "lastActivity": journal.lastTime.map { .string(BridgeInstant(millisecondsSinceEpoch: $0).rfc3339) } ?? .null,
      "scenario": profile.scenario.map { .string($0) } ?? .null,
    ]
    for bridge in bridges { members.merge(bridge.json) { $1 } }
    return .object(members)
  }
}

extension Page {
  /// The page as the control API shows it.
  var json: JSONValue {
    [
      "id": .string(id), "url": document.map { .string($0.url) } ?? .null,
      "title": title.map { .string($0) } ?? .null,
      "listening": .bool(isListening),
    ]
  }
}

extension SessionSheets.OpenSheet {
  /// The sheet as the control API shows it.
  var json: JSONValue {
    [
      "id": .string(sheet.id), "kind": .string(sheet.kind), "content": .object(sheet.content),
      "openedAt": .string(openedAt.rfc3339),
    ]
  }
}

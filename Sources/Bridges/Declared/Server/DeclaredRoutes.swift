import BridgeCore
import BridgeRuntime
package import BridgeServer
import HTTPTypes
import Sessions
import WebServer

/// Routes of declared bridges: calls of a test to their pages, and the WebSockets of their handlers.
package enum DeclaredRoutes {
  package static let all = [
    ControlRoute(.put, "/sessions/{session}/bridges/{bridge}", bodyLimit: bodyLimit) { request in
      let (session, section) = (try await request.session(), try await request.body())
      try await declare(request.parameter("bridge"), section, in: session, request.sessions)
      return .noContent
    },
    ControlRoute(.get, "/bridges/{bridge}/handler", isReading: true) { request in
      let name = request.parameter("bridge")
      guard let handlers = request.sessions.server.part(DeclaredHandlers.self, of: name) else { throw noBridge(name) }
      return try connect(request, handlers, session: nil)
    },
    ControlRoute(.get, "/sessions/{session}/bridges/{bridge}/handler", isReading: true) { request in
      let bridge = try await bridge(request)
      return try connect(request, bridge.handlers, session: try await request.session().id)
    },
    ControlRoute(
      .post, "/sessions/{session}/bridges/{bridge}/calls", bodyLimit: ControlRoute.messageBodyLimit
    ) { request in
      let bridge = try await bridge(request)
      let call = try PageCallNode(try await request.body())
      guard let page = bridge.page(call.page) else {
        throw ControlProblem.conflict(
          call.page.map { "The page \($0) does not have the bridge \(request.parameter("bridge")), or is not open." }
            ?? "No page with the bridge \(request.parameter("bridge")) is open.")
      }
      return .json(.object(try await result(of: call.event, on: page)))
    },
  ]

  /// The maximum size of a declaration with its scripts, in bytes.
  private static let bodyLimit = 8 << 20
  /// The maximum time for a page to answer.
  private static let timeout = Duration.seconds(30)

  /// Declares a bridge for a session. If it cannot be stored, the session stays as it is.
  @BridgeActor
  private static func declare(
    _ name: String, _ section: InputNode, in session: Session, _ sessions: SessionRegistry
  ) async throws {
    let own = try OwnBridge(name, section, in: session.bridgeTable, on: sessions.server)
    do {
      var bridges = session.storedBridges
      guard bridges.store(try section.json(), as: name) else {
        throw section.expected(
          "smaller: the bridges of a session have at most \(StoredBridges.byteLimit) bytes together")
      }
      guard session.hasSpace(for: bridges) else { throw ControlProblem.conflict(session.rules.lackOfSpace) }
      session.storedBridges = bridges
      try await session.waitUntilStored()
    } catch {
      own.stop()
      throw error
    }
    // The app may have been started anew meanwhile.
    guard let present = sessions.running(id: session.id) else { return own.stop() }
    present.add(own)
  }

  @BridgeActor
  private static func bridge(_ request: ControlRequest) async throws -> DeclaredSession {
    let name = request.parameter("bridge")
    guard let bridge = try await request.session().bridge(named: name) as? DeclaredSession else { throw noBridge(name) }
    return bridge
  }

  private static func noBridge(_ name: String) -> ControlProblem {
    .notFound("There is no bridge \(name) among those that are declared.")
  }

  /// Turns the request's connection into the WebSocket of a handler.
  @BridgeActor
  private static func connect(
    _ request: ControlRequest, _ handlers: DeclaredHandlers, session: String?
  ) throws -> ControlResponse {
    do {
      try handlers.checkConnection(session: session)
      HandlerSocket.connect(try request.exchange.acceptWebSocket(), to: handlers, session: session)
      return .answered
    } catch let conflict as DeclaredHandlers.Conflict {
      throw ControlProblem.conflict(conflict.description)
    } catch let error as WebSocketHandshakeError {
      throw ControlProblem(status: error.status, detail: error.description, fields: error.fields)
    }
  }

  /// Makes a page do something, and returns the result: `{result?}` or `{error}`.
  @BridgeActor
  private static func result(of event: DeclaredEvent, on page: DeclaredPage) async throws -> [String: JSONValue] {
    if event.kind == "event" {
      page.send(event)
      return [:]
    }
    let (answers, answer) = AsyncStream.makeStream(of: [String: JSONValue]?.self, bufferingPolicy: .bufferingOldest(1))
    page.ask(event) { result in
      answer.yield(result)
      answer.finish()
    }
    let deadline = Task {
      try await Task.sleep(for: timeout)
      answer.finish()
    }
    defer { deadline.cancel() }
    for await result in answers {
      guard let result else { throw ControlProblem.conflict("The page has gone before it answered.") }
      return result
    }
    throw ControlProblem(status: .gatewayTimeout, detail: "The page has not answered within \(timeout).")
  }
}

/// Reads a call to a page: `{page?, call, args?}`, `{page?, event, …}` with what such an event has, `{page?, set, value?}` or
/// `{page?, evaluate}`.
struct PageCallNode {
  /// The call as an event of the bridge.
  let event: DeclaredEvent
  /// Members that only one kind of call has.
  private static let owners = Dictionary(
    uniqueKeysWithValues: [("args", "call"), ("value", "set"), ("detail", "event")]
      + DeclaredEventForm.keys.map { ($0, "event") })
  /// The page's id; nil for the latest one that has the bridge.
  let page: String?

  /// Reads the body of a request.
  init(_ node: InputNode) throws(OptionError) {
    let kinds = ["call", "event", "set", "evaluate"]
    let members = try node.section(["page"] + kinds + Self.owners.keys)
    page = try members["page"]?.text()
    guard kinds.filter({ members[$0] != nil }).count == 1 else {
      throw node.expected("given exactly one of: \(kinds.joined(separator: ", "))")
    }
    for (key, owner) in Self.owners.sorted(by: { $0.key < $1.key }) {
      if let member = members[key], members[owner] == nil {
        throw member.expected("left out: only \(owner) has \(key)")
      }
    }
    if let path = members["call"] {
      let names = try path.json()
      guard members["args"]?.isList != false,
        let call = DeclaredEvent.call(names.arrayValue ?? [names], try members["args"]?.json() ?? [])
      else { throw path.expected("the path of a function from window, such as app.onEvent, and args an array") }
      event = call
    } else if let name = members["event"] {
      var values: [String: JSONValue] = [:]
      for (key, member) in members { values[key] = try member.json() }
      guard let dispatched = DeclaredEvent.event(try name.text(), of: values) else {
        throw name.expected(
          "dispatched on a path from window such as document, with a kind such as Event. Only a CustomEvent has a detail, and only a MessageEvent has data and origin"
        )
      }
      event = dispatched
    } else if let path = members["set"] {
      let names = try path.json()
      guard let variable = DeclaredEvent.set(names.arrayValue ?? [names], try members["value"]?.json()) else {
        throw path.expected("the path of a variable from window, such as app.user")
      }
      event = variable
    } else {
      event = .evaluate(try members["evaluate"]?.text() ?? "")
    }
  }
}

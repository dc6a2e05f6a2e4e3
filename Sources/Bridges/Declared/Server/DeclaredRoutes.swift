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
      guard session.storedBridges.store(try section.json(), as: name) else {
        throw section.expected(
          "smaller: the bridges of a session have at most \(StoredBridges.byteLimit) bytes together")
      }
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

/// Reads a call to a page: `{page?, call, args?}`, `{page?, event, detail?}` or `{page?, evaluate}`.
struct PageCallNode {
  /// The call as an event of the bridge.
  let event: DeclaredEvent
  /// The page's id; nil for the latest one that has the bridge.
  let page: String?

  /// Reads the body of a request.
  init(_ node: InputNode) throws(OptionError) {
    let members = try node.section(["page", "call", "args", "event", "detail", "evaluate"])
    page = try members["page"]?.text()
    guard ["call", "event", "evaluate"].filter({ members[$0] != nil }).count == 1 else {
      throw node.expected("given exactly one of: call, event, evaluate")
    }
    if let args = members["args"], members["call"] == nil { throw args.expected("left out: only a call has args") }
    if let detail = members["detail"], members["event"] == nil {
      throw detail.expected("left out: only an event has a detail")
    }
    if let path = members["call"] {
      let names = try path.json()
      guard members["args"]?.isList != false,
        let call = DeclaredEvent.call(names.arrayValue ?? [names], try members["args"]?.json() ?? [])
      else { throw path.expected("the path of a function from window, such as app.onEvent, and args an array") }
      event = call
    } else if let name = members["event"] {
      event = .event(try name.text(), try members["detail"]?.json())
    } else {
      event = .evaluate(try members["evaluate"]?.text() ?? "")
    }
  }
}

import BridgeCore
import BridgeRuntime
import FootbridgeTesting
import Testing

@testable import BridgeServer
@testable import DeclaredServer
@testable import Footbridge
@testable import Sessions

/// The handlers of a declared bridge come and go, and so do its sessions.
@Suite @BridgeActor struct DeclaredHandlersTests {
  /// The other end of a handler's connection. It keeps the lines for it.
  private final class Connection: HandlerTransport {
    let window = Int.max
    private(set) var lines: [JSONValue] = []
    var isClosed = false

    func send(_ line: HandlerLine) {
      if let value = try? JSONValue(parsing: line.bytes) { lines.append(value) }
    }

    func states(of session: Session) -> [JSONValue] {
      lines.filter { $0["session"] == .string(session.id) }.compactMap { $0["state"] }
    }
  }

  private static let declaration: JSONValue = ["channels": ["acme": ["reply": true]]]

  private func withServer(
    _ declaration: JSONValue = declaration, _ body: @BridgeActor (TestServer, DeclaredHandlers) async throws -> Void
  ) async throws {
    let file = try OptionFile(path: "footbridge.yaml", text: "bridges: { acme: \(declaration.jsonText) }")
    var options = try OptionSources(flags: [:], environment: [:], file: file).options()
    (options.port, options.state, options.seed) = (0, nil, 1)
    try await TestServer.run({ [options] in $0 = options }) { server in
      try await body(server, try #require(server.sessions.server.part(DeclaredHandlers.self, of: "acme")))
    }
  }

  /// Connects a handler: for one session, or for all.
  @discardableResult
  private func connect(
    _ handlers: DeclaredHandlers, _ session: String? = nil
  ) -> (handler: DeclaredHandler, connection: Connection) {
    let connection = Connection()
    return (handlers.connect(session: session, connection) { connection.isClosed = true }, connection)
  }

  private func part(_ server: TestServer) throws -> DeclaredSession {
    try #require(try server.launch().bridge(DeclaredSession.self))
  }

  /// Declares the bridge for the session alone.
  private func declareBridge(_ server: TestServer) throws {
    let session = try server.launch()
    let section = InputNode(Self.declaration, source: "the body")
    session.add(try OwnBridge("acme", section, in: session.bridgeTable, on: server.sessions.server))
  }

  // MARK: Sessions

  @Test func `a deleted session is freed, also if its bridge has no handler`() async throws {
    try await withServer { server, _ in
      weak let part = try part(server)
      #expect(part != nil)
      try await server.sessions.delete(try server.launch())
      #expect(await becomesTrue { part == nil })
    }
  }

  @Test func `a session that moved to another server is freed, and its handler's connection is closed`()
    async throws
  {
    try await withServer { server, handlers in
      let everyones = connect(handlers).connection
      try await server.openPage()
      let own = connect(handlers, server.session.id)
      #expect(everyones.states(of: try server.launch()) == ["opened", "gone"])
      weak let part = try part(server)
      server.sessions.abandon(try server.launch().key)
      #expect(own.connection.isClosed)
      handlers.disconnected(own.handler, own.connection, session: server.session.id)
      #expect(await becomesTrue { part == nil })
      #expect(!everyones.isClosed)
    }
  }

  @Test func `the handler of all sessions learns that the pages of a moved session are gone`() async throws {
    try await withServer { server, handlers in
      let connection = connect(handlers).connection
      try await server.openPage()
      let session = try server.launch()
      server.sessions.abandon(session.key)
      #expect(connection.states(of: session) == ["opened", "gone"])
    }
  }

  @Test func `a session's declared bridge is freed when another one replaces it`() async throws {
    try await withServer { server, _ in
      try declareBridge(server)
      weak let part = try part(server)
      try declareBridge(server)
      #expect(await becomesTrue { part == nil })
    }
  }

  // MARK: Handlers

  @Test func `a new handler of all sessions replaces the one before, even if that one closes later`() async throws {
    try await withServer { _, handlers in
      let first = connect(handlers)
      let second = connect(handlers)
      #expect(first.connection.isClosed)
      handlers.disconnected(first.handler, first.connection, session: nil)
      let third = connect(handlers)
      #expect(second.connection.isClosed)
      #expect(!third.connection.isClosed)
      #expect(handlers.shared === third.handler)
    }
  }

  @Test(arguments: [true, false])
  func `a handler of all sessions that connects again is told of the open pages`(replaces: Bool) async throws {
    try await withServer(["channels": ["acme": ["reply": true]], "handler": "connect"]) { server, handlers in
      let first = connect(handlers)
      try await server.openPage()
      if !replaces { handlers.disconnected(first.handler, first.connection, session: nil) }
      let second = connect(handlers).connection
      #expect(second.states(of: try server.launch()) == ["opened"])
      #expect(second.lines.first?["page"] != nil)
    }
  }

  @Test func `a message that waits for a handler rejects when another handler takes over the session`() async throws {
    try await withServer { server, handlers in
      let connection = connect(handlers).connection
      let page = try await server.openPage()
      let answer = Task { try await page.call("acme.login", ["channel": "acme", "value": .null]) }
      #expect(await becomesTrue { connection.lines.contains { $0["message"] != nil } })
      connect(handlers, server.session.id)
      let error = await #expect(throws: BridgeErrorPayload.self) { try await answer.value }
      #expect(error?.code == "bridge.handler")
    }
  }
}

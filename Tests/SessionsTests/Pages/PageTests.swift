import BridgeCore
import BridgeRuntime
import FootbridgeTesting
import Testing

@testable import Footbridge
@testable import OnsideKit
@testable import OnsideServer
@testable import Sessions
@testable import WebServer

/// Pages on connections whose other end is the test: what they ask is handed to them, and what they are told the journal has.
@Suite @BridgeActor struct PageTests {
  private nonisolated static let shimID = String(repeating: "a", count: 32)

  /// What is left of a page and of its connection.
  private struct Traces {
    weak var page: Page?
    weak var connection: WebSocketConnection?
    var isGone: Bool { page == nil && connection == nil }
  }

  private func withSession(
    _ onPage: (@Sendable @BridgeActor (BridgeHost) -> Void)? = nil,
    _ body: @BridgeActor (Session, TestServer) async throws -> Void
  ) async throws {
    try await TestServer.run {
      $0.onPage = onPage
    } _: { server in
      let session = try server.launch()
      try await body(session, server)
      server.sessions.remove(session)
    }
  }

  /// What the journal has of the messages of pages and to them, without the time.
  private func messages(_ session: Session) -> [[String: JSONValue]] {
    session.journal.entries(after: 0, limit: .max).entries.compactMap { entry in
      guard [.request, .response, .event].contains(entry.kind) else { return nil }
      var members = entry.json.objectValue ?? [:]
      members["time"] = nil
      return members
    }
  }

  /// For each answer, by its correlation id, that of the request which caused it.
  private func causes(_ session: Session) -> [[String?]] {
    let messages = messages(session)
    let ids = Dictionary(
      uniqueKeysWithValues: messages.map { ($0["cursor"]?.numberValue, $0["correlationId"]?.stringValue) })
    return messages.filter { $0["kind"] == "response" }
      .map { [$0["correlationId"]?.stringValue, $0["cause"].flatMap { ids[$0.numberValue] } ?? nil] }
  }

  // MARK: Goodbyes

  private func call(_ id: String, _ action: String = "asked") -> String {
    #"{"version":"1.0","correlationId":"\#(id)","type":"request","timestamp":1,"payload":{"action":"\#(action)"}}"#
  }

  private func sayGoodbye(
    _ session: Session, _ texts: [String], _ number: Int = 0, first: Int = 0, isCached: Bool = false
  ) {
    let body = texts.map { "\u{1E}\($0)\n" }.joined()
    session.received(
      goodbye: Array(body.utf8), number, first: first, isCached: isCached, fromPage: Self.shimID, nil)
  }

  /// The correlation ids of the requests that were run, and what has become of pages, in order.
  private func course(_ session: Session) -> [String] {
    session.journal.entries(after: 0, limit: .max).entries.compactMap { entry in
      switch entry.kind {
      case .request: entry.json["correlationId"]?.stringValue
      case .page: entry.json["action"]?.stringValue
      default: nil
      }
    }
  }

  @Test func `the goodbye of a page without a socket is run, and ends the page`() async throws {
    try await withSession { session, _ in
      sayGoodbye(session, [call("1"), call("2")])
      #expect(course(session) == ["opened", "1", "2", "ended"])
      #expect(session.pages.isEmpty)
      sayGoodbye(session, [call("3")], 1)
      #expect(course(session) == ["opened", "1", "2", "ended", "3"])
    }
  }

  @Test func `a goodbye waits until the page's socket is closed, and repeated calls run once`() async throws {
    try await withSession { session, server in
      let connection = try server.connect(session, shimID: Self.shimID)
      connection.receive(call("1"))
      sayGoodbye(session, [call("1"), call("2"), call("footbridge-1", "onside.getTransactions"), call("3")])
      connection.receive(call("2"))
      connection.receive(call("footbridge-1", "onside.getTransactions"))
      #expect(course(session) == ["opened", "1", "2", "footbridge-1"])
      connection.onClose?(nil)
      #expect(course(session) == ["opened", "1", "2", "footbridge-1", "3", "ended"])
      #expect(session.pages.isEmpty)
    }
  }

  @Test func `a goodbye after the socket's close repeats no call`() async throws {
    try await withSession { session, server in
      let connection = try server.connect(session, shimID: Self.shimID)
      connection.receive(call("1"))
      connection.onClose?(.goingAway)
      sayGoodbye(session, [call("1"), call("2")])
      #expect(course(session) == ["opened", "1", "ended", "2"])
      #expect(session.pages.isEmpty)
    }
  }

  @Test func `a socket after the goodbye repeats no call, and its page ends`() async throws {
    try await withSession { session, server in
      sayGoodbye(session, [call("1"), call("footbridge-1", "onside.getTransactions")])
      let connection = try server.connect(session, shimID: Self.shimID)
      for id in ["1", "2"] { connection.receive(call(id)) }
      connection.receive(call("footbridge-1", "onside.getTransactions"))
      connection.onClose?(nil)
      #expect(course(session) == ["opened", "1", "footbridge-1", "ended", "opened", "2", "ended"])
      #expect(session.pages.isEmpty)
    }
  }

  @Test func `a page restored from the browser's cache is the same page and repeats no call`() async throws {
    try await withSession { session, server in
      sayGoodbye(session, [call("1"), call("footbridge-1", "onside.getTransactions")])
      let connection = try server.connect(session, shimID: Self.shimID)
      connection.receive(call("footbridge-shim-1", "footbridge.hello"))
      connection.receive(call("1"))
      connection.receive(call("footbridge-1", "onside.getTransactions"))
      #expect(session.pages.map(\.id) == ["page-1"])
      // An answer that has gone to nobody is told as such; one that is known is given again.
      let decisions = session.journal.entries(after: 0, limit: .max, kind: .decision).entries
      let refused = decisions.filter { $0.json["action"] == "refused" }
      #expect(refused.map { $0.json["correlationId"] } == ["1"])
      // From now on it is like any other page: one that has lost its socket may come back.
      connection.onClose?(nil)
      #expect(session.pages.count == 1)
      sayGoodbye(session, [call("1"), call("2")], 1, first: 1)
      #expect(course(session).filter { Int($0) != nil } == ["1", "2"])
      #expect(session.pages.isEmpty)
    }
  }

  @Test func `a page in the page cache is suspended, and is the same page when it connects again`() async throws {
    try await withSession { session, server in
      let connection = try server.connect(session, shimID: Self.shimID)
      let page = try #require(session.pages.first)
      connection.receive(call("1"))
      sayGoodbye(session, [call("1"), call("2")], isCached: true)
      connection.onClose?(.pageIsCached)
      #expect(course(session) == ["opened", "1", "2", "suspended"])
      #expect(session.pages.isEmpty)
      let next = try server.connect(session, shimID: Self.shimID)
      #expect(session.pages.first === page)
      next.receive(call("1"))
      #expect(course(session) == ["opened", "1", "2", "suspended"])
    }
  }

  @Test func `a page in the page cache without calls is suspended when its socket closes`() async throws {
    try await withSession { session, server in
      let connection = try server.connect(session, shimID: Self.shimID)
      connection.onClose?(.pageIsCached)
      #expect(course(session) == ["opened", "suspended"])
    }
  }

  @Test func `a late goodbye of a page that is back from the page cache does not suspend it`() async throws {
    try await withSession { session, server in
      let connection = try server.connect(session, shimID: Self.shimID)
      connection.onClose?(.pageIsCached)
      _ = try server.connect(session, shimID: Self.shimID)
      sayGoodbye(session, [call("1")], isCached: true)
      #expect(course(session) == ["opened", "suspended"])
      #expect(session.pages.count == 1)
    }
  }

  @Test func `a page whose browser closes its socket early is the same page when it connects again`() async throws {
    try await withSession { session, server in
      let connection = try server.connect(session, shimID: Self.shimID, closesEarly: true)
      let page = try #require(session.pages.first)
      connection.onClose?(.goingAway)
      let next = try server.connect(session, shimID: Self.shimID, closesEarly: true)
      #expect(session.pages.map(ObjectIdentifier.init) == [ObjectIdentifier(page)])
      next.receive(call("1"))
      #expect(course(session) == ["opened", "disconnected", "1"])
    }
  }

  @Test func `such a page ends when it says that it has left, on its socket or in a goodbye`() async throws {
    try await withSession { session, server in
      let connection = try server.connect(session, shimID: Self.shimID, closesEarly: true)
      connection.onClose?(.pageHasLeft)
      #expect(course(session) == ["opened", "ended"])
    }
    try await withSession { session, server in
      let connection = try server.connect(session, shimID: Self.shimID, closesEarly: true)
      connection.onClose?(.goingAway)
      sayGoodbye(session, [])
      #expect(course(session) == ["opened", "disconnected", "ended"])
    }
  }

  @Test func `the oldest of too many suspended pages ends`() async throws {
    try await withSession { session, server in
      for number in 0...SessionPages.suspendedLimit {
        let connection = try server.connect(session, shimID: "\(number)")
        connection.onClose?(.pageIsCached)
      }
      #expect(session.sessionPages.suspended(shimID: "0") == nil)
      #expect(session.sessionPages.allSuspended.count == SessionPages.suspendedLimit)
    }
  }

  @Test func `a goodbye of a page of an earlier launch is ignored`() async throws {
    try await withSession { session, server in
      let connection = try server.connect(session, shimID: Self.shimID)
      connection.onClose?(.pageIsCached)
      server.sessions.relaunch(session)
      let next = try #require(server.sessions.sessionByKey[session.key])
      sayGoodbye(next, [call("1")])
      #expect(!course(next).contains("1"))
      #expect(next.pages.isEmpty)
    }
  }

  @Test func `overtaking requests of a goodbye are run once, in order`()
    async throws
  {
    try await withSession { session, _ in
      sayGoodbye(session, [call("2")], 1)
      #expect(course(session) == ["opened", "ended"])
      sayGoodbye(session, [call("1")], 0)
      sayGoodbye(session, [call("1")], 0)
      #expect(course(session) == ["opened", "ended", "1", "2"])
    }
  }

  @Test func `malformed parts of a goodbye are ignored`() async throws {
    try await withSession { session, _ in
      sayGoodbye(session, ["", "no JSON", "{}", "\u{1E}\u{1E}", call("1")])
      #expect(course(session) == ["opened", "1", "ended"])
    }
  }

  @Test func `a page that leaves at once takes no updates from the next one`() async throws {
    try await withSession { session, server in
      let queue = try #require(session.onside).defaultPaymentQueue()
      sayGoodbye(session, [call("footbridge-1", "onside.getTransactions")])
      #expect(queue.transactionObservers.isEmpty)
      _ = try server.connect(session)
      #expect(!queue.transactionObservers.isEmpty)
    }
  }

  // MARK: Answers

  @Test(arguments: [nil, shimID]) func `an immediate answer has its request as cause and is sent once`(
    shimID: String?
  ) async throws {
    try await withSession { session, server in
      let connection = try server.connect(session, shimID: shimID)
      for id in ["1", "2", "3"] { connection.receiveRequest(id, "capability.query") }
      #expect(causes(session) == [["1", "1"], ["2", "2"], ["3", "3"]])
      let answers = messages(session).filter { $0["kind"] == "response" }
      #expect(
        answers.allSatisfy { $0["status"] == "success" && $0["action"] == "capability.query" && $0["page"] == "page-1" }
      )
      #expect(answers.allSatisfy { $0["data"]?["capabilities"]?["camera.document"] != nil })
    }
  }

  @Test func `an id with escapes and lone surrogates is answered unchanged`() async throws {
    try await withSession { session, server in
      let connection = try server.connect(session)
      connection.receiveRequest(#"\u0041\ud800"#, "capability.query")
      connection.receiveRequest(#"\ud83d\ude00\n"#, "capability.query")
      connection.receiveRequest("", "capability.query")
      #expect(
        causes(session) == [["A\u{FFFD}", "A\u{FFFD}"], ["😀\n", "😀\n"], ["", ""]])
    }
  }

  @Test func `a rule's answer has the request as cause`() async throws {
    try await withSession { session, server in
      let error = BridgeErrorPayload(code: "NO", message: "", recoverable: true)
      _ = session.rules.add(
        Rule(
          id: nil, on: "capability.query", pattern: .anyObject, times: .once,
          outcome: Outcome(answer: .response(.error, data: nil, error: error)), source: .null))
      let connection = try server.connect(session)
      connection.receiveRequest("1", "capability.query")
      connection.receiveRequest("2", "capability.query")
      #expect(causes(session) == [["1", "1"], ["2", "2"]])
      #expect(messages(session).filter { $0["kind"] == "response" }.map { $0["status"] } == ["error", "success"])
    }
  }

  @Test func `a rule decides the calls between its addition and its removal`() async throws {
    try await withSession { session, server in
      let connection = try server.connect(session)
      let rule = Rule(
        id: "no", on: "capability.query", pattern: .anyObject, times: .always,
        outcome: Outcome(answer: .response(.cancelled, data: nil, error: nil)), source: .null)
      connection.receiveRequest("1", "capability.query")
      _ = session.rules.add(rule)
      connection.receiveRequest("2", "capability.query")
      #expect(session.rules.removeRule("no"))
      connection.receiveRequest("3", "capability.query")
      let statuses = messages(session).filter { $0["kind"] == "response" }.map { $0["status"] }
      #expect(statuses == ["success", "cancelled", "success"])
    }
  }

  @Test func `entries made by a handler and its later answer have the request as cause`()
    async throws
  {
    let tell: @Sendable @BridgeActor (BridgeHost) -> Void = { host in
      host.register(
        handler: CapabilityQueryHandler(
          capabilities: { [weak host] in
            host?.send(event: "asked", data: [:])
            return [:]
          }, hostVersion: "1"))
      host.registerCustomCapability("later") { _, responder in
        responder.respond(status: .success, data: nil, error: nil)
      }
    }
    try await withSession(tell) { session, server in
      let answers = AsyncStream.makeStream(of: Void.self)
      let observer = session.journal.onAppend { if $0?.kind == .response { answers.continuation.yield() } }
      let connection = try server.connect(session)
      connection.receiveRequest("1", "capability.query")
      connection.receiveRequest("2", "later")
      connection.receiveRequest("3", "capability.query")
      var answer = answers.stream.makeAsyncIterator()
      for _ in 0..<3 { await answer.next() }
      observer.cancel()
      #expect(causes(session) == [["1", "1"], ["3", "3"], ["2", "2"]])
      let messages = messages(session)
      let cursors = messages.filter { $0["action"] == "capability.query" && $0["kind"] == "request" }.map {
        $0["cursor"]
      }
      #expect(messages.filter { $0["kind"] == "event" }.map { $0["cause"] } == cursors)
    }
  }

  @Test func `a pending request is answered once, and a request meanwhile gets its own answer`()
    async throws
  {
    try await withSession { session, server in
      let connection = try server.connect(session)
      connection.receiveRequest("1", "unknown")
      connection.receiveRequest("2", "capability.query")
      let host = try #require(session.pages.first).host
      host.respond(to: "1", status: .success)
      host.respond(to: "1", status: .success)
      #expect(causes(session) == [["2", "2"], ["1", "1"]])
    }
  }

  @Test func `an answer during the writing of another one does not change it`() async throws {
    try await withSession { session, server in
      let connection = try server.connect(session)
      // Into the buffer of an open one the answer itself is written, and nothing may be sent meanwhile.
      connection.cut()
      var number = 1
      let observer = session.journal.onAppend { entry in
        guard entry?.kind == .response, number < 5 else { return }
        number += 1
        connection.receiveRequest("\(number)" + String(repeating: "x", count: number * 100), "capability.query")
      }
      connection.receiveRequest("1", "capability.query")
      observer.cancel()
      let ids = ["1"] + (2...5).map { "\($0)" + String(repeating: "x", count: $0 * 100) }
      #expect(causes(session) == ids.map { [$0, $0] })
      #expect(messages(session).filter { $0["kind"] == "response" }.allSatisfy { $0["data"]?["capabilities"] != nil })
    }
  }

  @Test func `a text that is not an envelope is refused, and the page stays open`() async throws {
    try await withSession { session, server in
      let connection = try server.connect(session)
      connection.receive(
        #"{"version":"1.0","correlationId":"1","type":"request","timestamp":01,"payload":{"action":"capability.query"}}"#
      )
      connection.receive("")
      connection.receiveRequest("2", "capability.query")
      #expect(causes(session) == [["2", "2"]])
      #expect(session.journal.entries(after: 0, limit: .max).entries.filter { $0.kind == .decision }.count == 2)
      #expect(session.pages.first?.host.lastError?.contains("not an envelope") == true)
    }
  }

  @Test func `a host stores received messages only for a program with onPage`() async throws {
    for (onPage, ids) in [(nil, []), ({ @BridgeActor @Sendable (_: BridgeHost) in }, ["1", "2"])] {
      try await withSession(onPage) { session, server in
        let connection = try server.connect(session)
        connection.receiveRequest("1", "capability.query")
        connection.receiveRequest("2", "unknown")
        #expect(session.pages.first?.host.receivedMessages.map(\.correlationId) == ids)
        #expect(session.pages.first?.host.pendingRequests.map(\.correlationId) == ["2"])
      }
    }
  }

  // MARK: The end

  @Test func `a page without a shim is freed with its connection`() async throws {
    try await withSession { session, server in
      var traces = Traces()
      do {
        let connection = try server.connect(session)
        traces.connection = connection
        traces.page = session.pages.first
        connection.receiveRequest("1", "capability.query")
        #expect(traces.page != nil)
        connection.closed()
      }
      #expect(session.pages.isEmpty)
      #expect(await becomesTrue { traces.isGone })
    }
  }

  @Test func `a page that was ended is freed when its connection has closed`() async throws {
    try await withSession { session, server in
      var traces = Traces()
      do {
        let connection = try server.connect(session, shimID: Self.shimID)
        let page = try #require(session.pages.first)
        traces.connection = connection
        traces.page = page
        connection.receiveRequest("1", "capability.query")
        session.end(page)
        connection.closed()
      }
      #expect(await becomesTrue { traces.isGone })
    }
  }

  @Test func `a page that reconnects retains its calls and releases the former connection`() async throws {
    try await withSession { session, server in
      var first = Traces()
      var second = Traces()
      do {
        let old = try server.connect(session, shimID: Self.shimID)
        first.connection = old
        first.page = session.pages.first
        old.receiveRequest("1", "unknown")
        let new = try server.connect(session, shimID: Self.shimID)
        second.connection = new
        second.page = session.pages.first
        #expect(first.page === second.page)
        // The old one is closed after the new one was opened: the page stays.
        old.closed()
        #expect(session.pages.count == 1)
        new.receiveRequest("1", "unknown")
      }
      #expect(await becomesTrue { first.connection == nil })
      #expect(second.connection != nil)
      #expect(messages(session).filter { $0["kind"] == "request" }.count == 1)
      do {
        let page = try #require(second.page)
        page.host.respond(to: "1", status: .success)
        second.connection?.closed()
        #expect(session.pages.count == 1)
        session.end(page)
      }
      #expect(causes(session) == [["1", "1"]])
      #expect(await becomesTrue { second.isGone })
    }
  }

  @Test func `a page with open calls is freed with its session`() async throws {
    var traces: [Traces] = []
    try await withSession { session, server in
      for shimID in [nil, Self.shimID] {
        let connection = try server.connect(session, shimID: shimID)
        connection.receiveRequest("1", "camera.document.capture")
        connection.receiveRequest("2", "unknown")
        traces.append(Traces(page: session.pages.last, connection: connection))
      }
      #expect(traces.allSatisfy { $0.page != nil })
    }
    #expect(await becomesTrue { traces.allSatisfy { $0.isGone } })
  }

  @Test func `a page is freed after the server has stopped`() async throws {
    try await withSession { session, server in
      var traces = Traces()
      do {
        let connection = try server.connect(session, shimID: Self.shimID)
        traces.connection = connection
        traces.page = session.pages.first
        connection.receiveRequest("1", "capability.query")
        session.willStop()
        connection.closed()
        #expect(traces.page != nil)
        session.releasePages()
      }
      #expect(await becomesTrue { traces.isGone })
    }
  }

  @Test func `a page that has ended gets no more messages`() async throws {
    try await withSession { session, server in
      let connection = try server.connect(session, shimID: Self.shimID)
      let page = try #require(session.pages.first)
      connection.receiveRequest("1", "unknown")
      session.end(page)
      let count = messages(session).count
      page.host.respond(to: "1", status: .success)
      page.host.send(event: "e", data: [:])
      #expect(messages(session).count == count)
      #expect(page.host.lastError?.contains("no web view") == true)
      connection.closed()
    }
  }
}

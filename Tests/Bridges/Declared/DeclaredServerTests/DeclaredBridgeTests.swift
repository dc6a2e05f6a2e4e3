import BridgeCore
import BridgeRuntime
import FootbridgeTesting
import Testing

@testable import DeclaredServer
@testable import Footbridge
@testable import Sessions

/// A bridge that footbridge.yaml declares, without a browser.
@Suite @BridgeActor struct DeclaredBridgeTests {
  private nonisolated func options(_ file: String) throws -> FootbridgeOptions {
    let file = try OptionFile(path: "footbridge.yaml", text: file)
    var options = try OptionSources(flags: [:], environment: [:], file: file).options()
    options.port = 0
    options.state = nil
    options.seed = 1
    return options
  }

  private func withServer(_ file: String, _ body: @BridgeActor (TestServer) async throws -> Void) async throws {
    let options = try options(file)
    try await TestServer.run({ $0 = options }, body)
  }

  /// A bridge with one channel that replies, and these answers.
  private func acme(_ answers: String) -> String {
    "bridges: { acme: { channels: { acme: { reply: true } }, secret: [pin], answers: \(answers) } }"
  }

  private func message(_ value: JSONValue, channel: String = "acme") -> [String: JSONValue] {
    ["channel": .string(channel), "value": value]
  }

  // MARK: Answers

  @Test func `a reply is filled with values of the message`() async throws {
    try await withServer(acme("{ login: { reply: { token: abc, id: !from /id } } }")) { server in
      let answer = try await server.openPage().call("acme.login", message(["id": 7]))
      #expect(answer == ["value": ["token": "abc", "id": 7]])
    }
  }

  @Test func `an error answer rejects the promise with its text`() async throws {
    try await withServer(acme("{ login: { error: 'Not today' } }")) { server in
      let page = try await server.openPage()
      let error = await #expect(throws: BridgeErrorPayload.self) { try await page.call("acme.login", message(nil)) }
      #expect(error?.message == "Not today")
    }
  }

  @Test func `an answer's calls and events are sent to the page in order`() async throws {
    let answers = "{ info: [{ call: app.got, args: [!json { id: !from /id }] }, { event: seen, detail: !from /id }] }"
    try await withServer(acme(answers)) { server in
      let page = try await server.openPage()
      #expect(try await page.call("acme.info", message(["id": 7])) == [:])
      #expect(page.events.map(\.action) == ["acme.call", "acme.event"])
      #expect(page.events.first?.data == ["path": ["app", "got"], "args": [#"{"id":7}"#]])
      #expect(page.events.last?.data == ["name": "seen", "detail": 7])
    }
  }

  @Test func `an answer's delay runs on the session's clock`() async throws {
    try await withServer(acme("{ login: { reply: late, delay: 1000 } }")) { server in
      let page = try await server.openPage()
      let asked = server.clock.now
      // Other code sleeps on this clock too, so the clock advances until the answer has come.
      let passage = Task {
        while !Task.isCancelled {
          // The pause leaves the thread of the actor to the answer.
          try? await Task.sleep(for: .milliseconds(1))
          server.clock.advance(by: .milliseconds(100))
        }
      }
      defer { passage.cancel() }
      #expect(try await page.call("acme.login", message(nil)) == ["value": "late"])
      #expect(server.clock.now >= asked.advanced(by: .seconds(1)))
    }
  }

  @Test func `the answer to opened is sent first`() async throws {
    try await withServer(acme("{ opened: { call: app.ready } }")) { server in
      let page = try await server.openPage()
      #expect(try await page.event("acme.call").data == ["path": ["app", "ready"], "args": []])
    }
  }

  @Test func `a channel without replies resolves at once and still sends its events`() async throws {
    let file = "bridges: { acme: { channels: { acme: { reply: false } }, answers: { login: { event: in } } } }"
    try await withServer(file) { server in
      let page = try await server.openPage()
      #expect(try await page.call("acme.login", message(nil)) == [:])
      #expect(try await page.call("acme.other", message(nil)) == [:])
      #expect(try await page.event("acme.event").data == ["name": "in"])
    }
  }

  // MARK: What comes with every bridge

  @Test func `a rule that matches the message goes before the declared answer`() async throws {
    let rules =
      "scenario: s\nscenarios: { s: [{ on: acme.login, where: { id: 7 }, then: { result: ruled } }] }\n"
    try await withServer(rules + acme("{ login: { reply: usual } }")) { server in
      let page = try await server.openPage()
      #expect(try await page.call("acme.login", message(["id": 8])) == ["value": "usual"])
      #expect(try await page.call("acme.login", message(["id": 7])) == ["value": "ruled"])
    }
  }

  @Test func `the journal names declared messages and hides secret members`() async throws {
    try await withServer(acme("{ login: { reply: in } }")) { server in
      try await server.openPage().call("acme.login", message(["pin": "4711", "id": 7]))
      let request = server.journal.entries.first { $0.kind == .request && $0.action == "acme.login" }
      #expect(request?.data == ["channel": "acme", "value": ["pin": "‹secret›", "id": 7]])
    }
  }

  // MARK: Errors

  @Test(arguments: [
    ("bridges: { acme: { chanels: {} } }", "bridges.acme in footbridge.yaml has an unknown key, chanels"),
    ("bridges: { acme: { answers: { a: { reply: 1, call: b } } } }", "bridges.acme.answers.a in footbridge.yaml"),
    ("bridges: { acme: { answers: { a: { reply: !from id } } } }", "bridges.acme.answers.a.reply in footbridge.yaml"),
    ("bridges: { acme: { answers: { a: { reply: !form /id } } } }", "without the tag !form"),
    ("bridges: { acme: { answers: { opened: { reply: 1 } } } }", "bridges.acme.answers.opened.reply"),
    ("bridges: { acme: { answers: { a: [{ reply: 1 }, { error: b }] } } }", "bridges.acme.answers.a[1]"),
    ("bridges: { acme: { pages: app } }", "bridges.acme.pages in footbridge.yaml"),
    ("bridges: { acme: { channels: { a: { reply: maybe } } } }", "bridges.acme.channels.a.reply"),
    ("bridges: { acme: { scripts: [none.js] } }", "bridges.acme.scripts[0] in footbridge.yaml is none.js"),
    (
      "bridges: { acme: { preset: capacitr } }",
      "bridges.acme.preset in footbridge.yaml must be one of: adapty, airship, android, capacitor, cordova"
    ),
    ("bridges: { acme: { options: {} } }", "bridges.acme.options in footbridge.yaml must be left out"),
    ("bridges: { acme: { adapter: none.js } }", "bridges.acme.adapter in footbridge.yaml is none.js"),
    ("bridges: { acme: { handler: {} } }", "bridges.acme.handler in footbridge.yaml must be given either a command"),
    ("bridges: { acme: { handler: { run: [] } } }", "bridges.acme.handler.run in footbridge.yaml must be a command"),
    ("bridges: { gbg: {} }", "bridges.gbg in footbridge.yaml must be given another name"),
    ("bridges: { a-b: {} }", "bridges.a-b in footbridge.yaml must be given another name"),
    ("bridges: { acme: { channels: { gbgBridge: {} } } }", "is a message handler of gbg, too"),
    (
      "bridges: { a: { pages: /x/*, channels: { c: {} } }, b: { pages: /x/y/*, channels: { c: {} } } }",
      "bridges.b.channels.c is a message handler of a, too"
    ),
  ])
  func `the error about a declared bridge names the place`(file: String, expected: String) {
    let error = #expect(throws: OptionError.self) { try options(file) }
    #expect(error?.description.contains(expected) == true, "\(error?.description ?? "")")
  }

  @Test func `two bridges can use the same channel on different pages`() throws {
    #expect(throws: Never.self) {
      try options("bridges: { a: { pages: /x/*, channels: { c: {} } }, b: { pages: /y/*, channels: { c: {} } } }")
    }
  }
}

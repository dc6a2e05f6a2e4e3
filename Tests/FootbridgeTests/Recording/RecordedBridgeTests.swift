import BridgeCore
import BridgeRuntime
import FootbridgeTesting
import Sessions
import Testing

@testable import DeclaredServer
@testable import Footbridge

/// `footbridge record`: from a transcript to a bridge that answers as the device did.
@Suite struct RecordedBridgeTests {
  private func bridge(_ lines: [String], secrets: [String] = []) throws -> RecordedBridge {
    let transcript = try Transcript(Array(lines.joined(separator: "\n").utf8), bridge: "app", secrets: secrets)
    return RecordedBridge("app", transcript)
  }

  private func section(_ lines: [String]) throws -> JSONValue {
    let bridge = try bridge(lines)
    // It throws if the text is read as something else.
    _ = try bridge.yaml()
    return bridge.section()
  }

  /// The lines of a message and its reply.
  private func exchange(_ number: Int, _ channel: String, _ body: JSONValue, reply: JSONValue? = nil) -> [String] {
    let message: JSONValue = ["message": .number(Double(number)), "channel": .string(channel), "body": body]
    guard let reply else { return [message.jsonText] }
    let answer: JSONValue = ["message": .number(Double(number)), "reply": reply]
    return [message.jsonText, answer.jsonText]
  }

  // MARK: Names

  @Test func `messages are named by their message handler if there is one for each function`() throws {
    let lines = [
      #"{"page":"https://app.example/"}"#, #"{"message":1,"channel":"openScan","body":{}}"#,
      #"{"call":"onScan","args":["abc"]}"#, #"{"message":2,"channel":"getUser","body":null}"#,
      #"{"message":2,"reply":{"name":"Eva"}}"#,
    ]
    #expect(
      try section(lines) == [
        "channels": ["openScan": ["reply": false], "getUser": ["reply": true]], "name": "channel",
        "answers": [
          "openScan": ["call": ["onScan"], "args": ["abc"]], "getUser": ["reply": ["name": "Eva"]],
        ],
      ])
  }

  @Test func `a message named opened is left out with a warning`() throws {
    let lines = exchange(1, "opened", [:], reply: 1) + exchange(2, "getUser", [:], reply: "Eva")
    let bridge = try bridge(lines)
    #expect(bridge.section()["answers"] == ["getUser": ["reply": "Eva"]])
    #expect(bridge.warnings.count == 1 && bridge.warnings[0].hasPrefix("opened: a message has this name."))
    // The section is accepted.
    _ = try OptionFile(path: "footbridge.yaml", text: try bridge.yaml())
  }

  @Test func `a member that is no name does not name messages of several message handlers`() throws {
    let lines =
      exchange(1, "greet", ["name": "Eva"], reply: "Hi") + exchange(2, "greet", ["name": "Bob"], reply: "Hi")
      + exchange(3, "leave", ["name": "Eva"], reply: "Bye")
    #expect(try section(lines)["name"] == "channel")
  }

  @Test func `a message handler with several functions gives names of both`() throws {
    let lines =
      exchange(1, "store", ["do": "price"], reply: 7) + exchange(2, "store", ["do": "title"], reply: "Coins")
      + exchange(3, "user", [:], reply: "Eva")
    let section = try section(lines)
    #expect(section["name"] == [["channel", "/do"], "channel"])
    #expect(section["answers"]?["store.price"] == ["reply": 7])
    #expect(section["answers"]?["user"] == ["reply": "Eva"])
  }

  @Test func `an unusual member names messages if the answers depend on it`() throws {
    let lines =
      exchange(1, "app", ["op": "a", "type": "x"], reply: 1) + exchange(2, "app", ["op": "b", "type": "x"], reply: 2)
      + exchange(3, "app", ["op": "a", "type": "x"], reply: 1)
    #expect(try section(lines)["name"] == ["/op", "message"])
  }

  @Test func `texts are named by what they begin with`() throws {
    let lines =
      exchange(1, "app", "share:https://a.example", reply: true) + exchange(2, "app", "theme:dark", reply: "ok")
    let section = try section(lines)
    #expect(section["name"] == [["before": ":"], "message"])
    #expect(section["answers"] == ["share": ["reply": true], "theme": ["reply": "ok"]])
  }

  // MARK: Answers

  @Test func `answers that differ by a value of the message become a list with conditions`() throws {
    let lines =
      exchange(1, "app", ["type": "user", "id": 1], reply: ["name": "Eva"])
      + exchange(2, "app", ["type": "user", "id": 2], reply: ["name": "Bob"])
      + exchange(3, "app", ["type": "user", "id": 1], reply: ["name": "Eva"])
    let bridge = try bridge(lines)
    #expect(
      bridge.section()["answers"]?["user"] == [
        ["where": ["id": 1], "reply": ["name": "Eva"]], ["where": ["id": 2], "reply": ["name": "Bob"]],
      ])
    #expect(bridge.warnings == [])
  }

  @Test func `a condition can be a member that is missing`() throws {
    let lines =
      exchange(1, "app", ["type": "user"], reply: "all")
      + exchange(2, "app", ["type": "user", "only": true], reply: "one")
    #expect(
      try section(lines)["answers"]?["user"] == [
        ["where": ["only": ["$absent": true]], "reply": "all"], ["where": ["only": true], "reply": "one"],
      ])
  }

  @Test func `answers that nothing in the message decides are told in a comment and at the start`() throws {
    let lines =
      exchange(1, "app", ["type": "next"], reply: 1) + exchange(2, "app", ["type": "next"], reply: 2)
    let bridge = try bridge(lines)
    let doubt = "ative did different things in 2 cases, and the message does not tell which. This is the first."
    #expect(bridge.warnings == ["next: n\(doubt)"])
    let text = try bridge.yaml()
    #expect(text.contains("# N\(doubt)\n      next: { reply: 1 }"), "\(text)")
    #expect(text.contains("warnings:\n      - \"next: n"), "\(text)")
  }

  @Test func `the number of a call decides nothing`() throws {
    let lines =
      exchange(1, "app", ["type": "next", "callbackId": "c1"], reply: 1)
      + exchange(2, "app", ["type": "next", "callbackId": "c2"], reply: 2)
    #expect(try bridge(lines).warnings.count == 1)
  }

  @Test func `a promise that resolved with undefined does so again, and a pending one stays pending`() throws {
    let lines =
      exchange(1, "app", ["type": "get"], reply: 1) + exchange(2, "app", ["type": "track"])
      + [#"{"message":2}"#] + exchange(3, "app", ["type": "wait"])
    let bridge = try bridge(lines)
    #expect(bridge.section()["answers"] == ["get": ["reply": 1], "track": ["reply": ["!undefined": true]]])
    #expect(try bridge.yaml().contains("track: { reply: !undefined }"))
    #expect(try bridge.yaml().contains("# wait: native did nothing in 1 of 1 cases."))
  }

  @Test func `values that native has copied are taken from the message, also in texts`() throws {
    let lines =
      exchange(1, "app", ["type": "login", "id": 7], reply: ["id": 7, "text": #"{"id":7}"#])
      + exchange(2, "app", ["type": "login", "id": 8], reply: ["id": 8, "text": #"{"id":8}"#])
    let bridge = try bridge(lines)
    let text = try bridge.yaml()
    #expect(text.contains(#"login: { reply: { id: !from "/id", text: !json { id: !from "/id" } } }"#), "\(text)")
  }

  @Test func `each page begins anew, so what native does first belongs to no message of the page before`() throws {
    let lines =
      [#"{"page":"https://app.example/"}"#, #"{"call":"ready","args":[]}"#]
      + exchange(1, "app", ["type": "get"], reply: 1)
      + [#"{"page":"https://app.example/2"}"#, #"{"call":"ready","args":[]}"#]
    #expect(
      try section(lines)["answers"] == ["opened": ["call": ["ready"], "args": []], "get": ["reply": 1]])
    #expect(try bridge(lines).warnings == [])
    #expect(try bridge(lines + [#"{"call":"more","args":[]}"#]).warnings.count == 1)
  }

  @Test func `a transcript that is not whole says so`() throws {
    let bridge = try bridge(exchange(1, "app", ["type": "get"], reply: 1) + [#"{"lost":"the transcript is full"}"#])
    #expect(bridge.warnings == ["The transcript is not whole: the recorder has left out messages."])
  }

  // MARK: Secrets

  @Test func `secrets are left out, also in texts that are JSON, and the section says which answers lack one`() throws {
    let lines =
      exchange(
        1, "app", ["type": "login", "data": #"{"password":"hunter2"}"#], reply: #"{"user":{"accessToken":"s3cret"}}"#)
    let bridge = try bridge(lines)
    let text = try bridge.yaml() + bridge.pythonHandler
    #expect(!text.contains("hunter2") && !text.contains("s3cret"))
    #expect(text.contains("‹secret›"))
    #expect(bridge.warnings == ["login: the recording has left out a secret of the answer. Write one in its place."])
  }

  @Test func `long values and images are recorded as they are`() throws {
    let photo = String(repeating: "QUJD", count: 10_000)
    let lines = exchange(1, "app", ["type": "photo"], reply: ["imageBase64": .string(photo)])
    #expect(try section(lines)["answers"]?["photo"] == ["reply": ["imageBase64": .string(photo)]])
  }

  // MARK: What a page says never runs

  static let hostile = [
    "a\u{2028}b: { reply: 1 }\u{2028}handler: { run: [touch, ran] }", "a\u{2029}handler: x", "a\u{85}    handler: x",
    "a\nhandler: x", "a\rhandler: x", "\u{FEFF}a", "a # b", "a: b", "- a", "!from /x", "&a", "*a", "{ a", "[a", "\"a",
    "'a",
    "%YAML", "@a", "`a`", "|", ">", "? a", "a\u{202E}b", "a\u{2066}b", "a\u{9B}31m", "a\u{1B}[31m", "a\u{0}b", "<<",
    "~",
    "yes", "0x1F", "12:30:45", "2026-01-01", "null", "a\u{E0001}b", "a\u{FFFE}b", "---", "...", "a\\u2028b", "$from",
    "!json",
  ]

  @Test(arguments: hostile)
  func `what a page has said stays a value in the section`(text: String) throws {
    let lines =
      exchange(1, text.isEmpty ? "a" : text, ["type": .string(text), text: .string(text)], reply: .string(text))
      + exchange(2, "other", ["type": .string(text)], reply: ["value": [text: .string(text)]])
      + exchange(3, "other", .string(text), reply: [text: ["!from": .string(text)]])
      + [
        JSONValue.object(["call": .array([.string(text)]), "args": [.string(text)]]).jsonText,
        JSONValue.object(["event": .string(text), "detail": .object([text: 1])]).jsonText,
      ]
    let bridge = try bridge(lines)
    let section = try bridge.yaml()
    // No character but a line feed breaks a line, and none is hidden.
    #expect(section.unicodeScalars.allSatisfy { $0 == "\n" || !$0.isHidden })
    let file = try OptionFile(path: "footbridge.yaml", text: section)
    let definition = try #require(file.bridges.all.compactMap { $0 as? DeclaredDefinition }.first)
    #expect(definition.handler == nil && definition.scripts.isEmpty)
    #expect(Set(definition.configuration.channels.map(\.name)) == Set(bridge.channels.keys))
    #expect(definition.naming == bridge.naming)
    for (name, answer) in bridge.answers where name != "opened" {
      let steps = answer.variants.flatMap(\.steps)
      #expect((definition.configuration.answers[name] ?? []).map(\.step) == steps)
    }
    #expect(bridge.pythonHandler.unicodeScalars.allSatisfy { $0 == "\n" || !$0.isHidden })
  }
}

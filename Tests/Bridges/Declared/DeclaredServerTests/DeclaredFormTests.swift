import BridgeCore
import BridgeServer
import Testing

@testable import DeclaredServer
@testable import Footbridge
@testable import Sessions

/// Events, variables and forms of texts in a bridge's section, and in the lines of its handler.
@Suite struct DeclaredFormTests {
  private func declared(_ section: String) throws -> DeclaredDefinition {
    let file = try OptionFile(path: "footbridge.yaml", text: "bridges: { acme: \(section) }")
    let options = try OptionSources(flags: [:], environment: [:], file: file).options()
    return try #require(options.bridges.makeTable().definitions.compactMap { $0 as? DeclaredDefinition }.first)
  }

  private func event(_ answer: String, of message: JSONValue = nil) throws -> DeclaredEvent {
    let answers = try declared("{ channels: { a: {} }, answers: { a: \(answer) } }").configuration.answers["a"]
    return try #require(answers?.first.flatMap { DeclaredEvent.of($0.step, message) })
  }

  // MARK: Events and variables

  @Test func `an event has a target, a kind and members`() throws {
    let event = try event("{ event: x, on: a.b, data: !from /id, origin: o, init: { lastEventId: z } }", of: ["id": 7])
    #expect(event.kind == "dispatch")
    #expect(
      event.data == [
        "name": "x", "on": ["a", "b"], "kind": "MessageEvent", "init": ["data": 7, "origin": "o", "lastEventId": "z"],
      ])
  }

  @Test func `a plain event stays one`() throws {
    #expect(try event("{ event: x, detail: 1 }") == .event("x", 1))
  }

  @Test func `a variable has a path and a value`() throws {
    #expect(try event("{ set: a.b, value: 1 }") == DeclaredEvent(kind: "set", data: ["path": ["a", "b"], "value": 1]))
    #expect(
      try event("{ set: [a, b.c], value: !from /none }", of: [:])
        == DeclaredEvent(kind: "set", data: ["path": ["a", "b.c"]]))
  }

  @Test(arguments: [
    ("{ channels: { a: {} } }", ["declared/shim.js", "declared/events.js", "declared/schemes.js"]),
    (
      "{ channels: { a: { decode: json } } }",
      ["declared/shim.js", "declared/events.js", "declared/schemes.js", "declared/codings.js"]
    ),
  ])
  func `a bridge has the files that it uses`(section: String, files: [String]) throws {
    #expect(try declared(section).shim.files == files)
  }

  @Test(arguments: [
    ("{ event: x, on: a..b }", "bridges.acme.answers.a.event in footbridge.yaml must be dispatched on a path"),
    ("{ event: x, kind: Error }", "with a kind such as Event"),
    ("{ event: x, kind: Event, detail: 1 }", "Only a CustomEvent has a detail"),
    ("{ event: x, data: 1, detail: 1 }", "only a MessageEvent has data"),
    ("{ event: x, onn: document }", "has an unknown key, onn. Did you mean on?"),
    ("{ call: x, on: document }", "answers.a.on in footbridge.yaml must be left out: only event has on"),
    ("{ set: a.b }", "bridges.acme.answers.a.set in footbridge.yaml must be given a value"),
    ("{ set: '', value: 1 }", "bridges.acme.answers.a.set in footbridge.yaml"),
    ("{ call: a, value: 1 }", "answers.a.value in footbridge.yaml must be left out: only set has value"),
  ])
  func `the error about an event or a variable names the place`(answer: String, expected: String) {
    let error = #expect(throws: OptionError.self) { try event(answer) }
    #expect(error?.description.contains(expected) == true, "\(error?.description ?? "")")
  }

  @Test func `a handler line dispatches an event of any kind, or sets a variable`() throws {
    let place = HandlerMessage.Place(session: nil, page: "p")
    let form = try #require(DeclaredEventForm(target: "document", kind: "Event", members: [String]()))
    #expect(
      try HandlerMessage.reading([
        "page": "p", "event": "x", "on": "document", "kind": "Event", "init": ["bubbles": true],
      ])
        == .act(place, .dispatch("x", form, ["bubbles": true]), id: nil))
    let set = try #require(DeclaredEvent.set(["a.b"], 1))
    #expect(try HandlerMessage.reading(["page": "p", "set": "a.b", "value": 1]) == .act(place, set, id: nil))
  }

  private static let brokenLines: [(JSONValue, String)] = [
    (["page": "p", "event": "x", "kind": "Error"], "an event whose on, kind"),
    (["page": "p", "event": "x", "on": 1], "an event whose on, kind"),
    (["page": "p", "event": "x", "init": []], "an event whose on, kind"),
    (["page": "p", "set": ""], "a variable to set that is not a path"),
  ]

  @Test(arguments: brokenLines)
  func `the error about an event of a handler says what is wrong`(line: JSONValue, problem: String) {
    let error = #expect(throws: HandlerMessage.Problem.self) { try HandlerMessage.reading(line) }
    #expect(error?.description.contains(problem) == true)
  }

  // MARK: Presets

  @Test func `each preset says whose bridge it is, what it plays and what not, and what it was compared with`() {
    #expect(DeclaredPreset.all.map(\.name) == DeclaredPresets.names)
    for preset in DeclaredPreset.all {
      for text in [preset.host, preset.source, preset.plays, preset.notPlayed] { #expect(text.count > 10) }
    }
  }

  // MARK: Forms of texts

  @Test func `steps of texts are read in order`() throws {
    let configuration = try declared("{ channels: { a: {} }, decode: [{ prefix: C }, json, list], encode: base64 }")
      .configuration
    #expect(configuration.decode == [.prefix("C"), .json, .list])
    #expect(configuration.encode == [.base64])
  }

  @Test(arguments: [
    (
      "{ decode: jsn }",
      "bridges.acme.decode in footbridge.yaml must be one of: json, base64, query, list, { prefix: … }"
    ),
    ("{ decode: [json, bas64] }", "bridges.acme.decode[1] in footbridge.yaml must be one of"),
    ("{ decode: jsonn }", "Did you mean json?"),
    ("{ decode: {} }", "bridges.acme.decode in footbridge.yaml must be given either prefix or split"),
    ("{ encode: { prefix: '' } }", "bridges.acme.encode.prefix in footbridge.yaml must be a text of 1 to 100 bytes"),
    (
      "{ channels: { a: { text: true, decode: json } } }",
      "bridges.acme.channels.a in footbridge.yaml must be given either text"
    ),
    ("{ preset: cordova, decode: json }", "bridges.acme.decode in footbridge.yaml must be left out: an adapter"),
  ])
  func `the error about a form of texts names the place`(section: String, expected: String) {
    let error = #expect(throws: OptionError.self) { try declared(section) }
    #expect(error?.description.contains(expected) == true, "\(error?.description ?? "")")
  }
}

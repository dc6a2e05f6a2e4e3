import BridgeCore
import BridgeServer
import Testing

@testable import DeclaredServer
@testable import Footbridge
@testable import Sessions

/// `objects` of a bridge's section.
@Suite struct DeclaredObjectTests {
  private func options(_ section: String) throws -> FootbridgeOptions {
    try options(bridges: "{ acme: \(section) }")
  }

  private func options(bridges: String) throws -> FootbridgeOptions {
    let file = try OptionFile(path: "footbridge.yaml", text: "bridges: \(bridges)")
    return try OptionSources(flags: [:], environment: [:], file: file).options()
  }

  private func declared(_ section: String) throws -> DeclaredDefinition {
    try #require(try options(section).bridges.makeTable().definitions.compactMap { $0 as? DeclaredDefinition }.first)
  }

  private func configuration(_ section: String) throws -> JSONValue {
    let part = try declared(section).shim
    return try #require(part.configuration["declared"]?.arrayValue?.first)
  }

  @Test func `an object has a path and members for the shim`() throws {
    let objects = "{ objects: { A.b: { c: { now: true, args: [x] }, d: { returns: !from /x }, e: { value: [1] } } } }"
    let json = try configuration(objects)["objects"]
    #expect(
      json == [
        [
          "path": ["A", "b"],
          "members": [
            "c": ["kind": "now", "name": "c", "args": ["x"]],
            "d": ["kind": "returns", "name": "d", "of": ["from": ["x"]]],
            "e": ["kind": "value", "name": "e", "of": [1]],
          ],
        ]
      ])
  }

  @Test func `methods of several objects are named after their objects, which are in order`() throws {
    let json = try configuration("{ objects: { B: { m: { message: true } }, A: { m: { promise: true } } } }")["objects"]
    #expect(
      json == [
        ["path": ["A"], "members": ["m": ["kind": "promise", "name": "A.m"]]],
        ["path": ["B"], "members": ["m": ["kind": "message", "name": "B.m"]]],
      ])
  }

  @Test func `only a bridge with objects has their script, and the replies for answers at once`() throws {
    let with = try declared("{ objects: { A: { m: { now: true } } }, answers: { m: { reply: 1 } } }").shim
    #expect(with.files == ["declared/shim.js", "declared/events.js", "declared/schemes.js", "declared/objects.js"])
    #expect(with.configuration["declared"]?.arrayValue?.first?["ahead"] == ["m": ["constant": 1]])
    let without = try declared("{ channels: { a: { reply: true } }, answers: { a: { reply: 1 } } }").shim
    #expect(without.files == ["declared/shim.js", "declared/events.js", "declared/schemes.js"])
    #expect(without.configuration["declared"]?.arrayValue?.first?["ahead"] == nil)
  }

  @Test func `a class has a constructor with the members of its instances`() throws {
    let new = "new: { args: [x], now: true, members: { c: { message: true }, d: { value: !from /x } } }"
    let part = try declared("{ objects: { A: { \(new), e: { value: 1 } } } }").shim
    let object = try #require(part.configuration["declared"]?.arrayValue?.first)["objects"]?.arrayValue?.first
    #expect(
      object?["members"]?["new"] == [
        "kind": "now", "name": "new", "args": ["x"],
        "members": [
          "c": ["kind": "message", "name": "c"], "d": ["kind": "value", "name": "d", "of": ["from": ["x"]]],
        ],
      ])
    #expect(part.files.contains("declared/classes.js"))
  }

  @Test func `paths of answers begin with the instance in place of this`() throws {
    let answers = "[{ event: a, on: this.b }, { call: this.c }, { set: [this, d], value: 1 }, { call: app.this }]"
    let section = "{ objects: { A: { new: { members: {} } } }, answers: { new: \(answers) } }"
    let steps = try declared(section).configuration.answers["new"]?
      .map { DeclaredEvent.of($0.about("A#1").step, .null) }
    #expect(
      steps?.map { $0?.data["on"] ?? $0?.data["path"] } == [
        ["A#1", "b"], ["A#1", "c"], ["A#1", "d"], ["app", "this"],
      ])
  }

  @Test func `the android preset is for all frames, unless the section says main`() throws {
    #expect(try declared("{ preset: android }").configuration.isMainFrameOnly == false)
    #expect(try declared("{ preset: android, frames: main }").configuration.isMainFrameOnly)
    #expect(try declared("{ objects: {} }").configuration.isMainFrameOnly)
  }

  @Test(arguments: [
    ("{ objects: [] }", "bridges.acme.objects in footbridge.yaml must be a mapping of names to values. It is a list."),
    ("{ objects: { A..b: {} } }", "bridges.acme.objects.A..b in footbridge.yaml must be named by a path from window"),
    (
      "{ objects: { A: { m: {} } } }",
      "bridges.acme.objects.A.m in footbridge.yaml must be given exactly one of: returns"
    ),
    ("{ objects: { A: { m: { now: true, promise: true } } } }", "must be given exactly one of: returns, now, message"),
    (
      "{ objects: { A: { m: { promis: true } } } }",
      "bridges.acme.objects.A.m in footbridge.yaml has an unknown key, promis. Did you mean promise?"
    ),
    ("{ objects: { A: { m: { now: false } } } }", "bridges.acme.objects.A.m.now in footbridge.yaml must be true"),
    ("{ objects: { A: { m: { value: 1, args: [x] } } } }", "objects.A.m.args in footbridge.yaml must be left out"),
    (
      "{ objects: { A: { m: { now: true, args: [x, x] } } } }",
      "objects.A.m.args in footbridge.yaml must be a list of different"
    ),
    (
      "{ objects: { A: { new: { members: { m: {} } } } } }",
      "bridges.acme.objects.A.new.members.m in footbridge.yaml must be given exactly one of: returns"
    ),
    ("{ objects: { A: { new: { members: [] } } } }", "objects.A.new.members in footbridge.yaml must be a mapping"),
    (
      "{ objects: { A: { new: { members: {}, promise: true } } } }",
      "objects.A.new in footbridge.yaml has an unknown key, promise."
    ),
    (
      "{ objects: { A: { new: { members: { constructor: { now: true } } } } } }",
      "objects.A.new.members.constructor in footbridge.yaml must be under another name"
    ),
    (
      "{ objects: { A: { new: { members: {} }, prototype: { value: 1 } } } }",
      "objects.A in footbridge.yaml must be given another member than prototype"
    ),
    (
      "{ preset: android, objects: { A: { new: { members: {} } } } }",
      "bridges.acme.objects.A.new in footbridge.yaml has an unknown key, members."
    ),
    (
      "{ objects: { A: { m: { now: true } } }, answers: { opened: { event: a, on: this } } }",
      "bridges.acme.answers.opened.on in footbridge.yaml must be a path from window"
    ),
    (
      "{ objects: { A: { m: { now: true } } }, answers: { opened: { call: this.m } } }",
      "bridges.acme.answers.opened.call in footbridge.yaml must be a path from window"
    ),
    (
      "{ preset: android, objects: { A: { m: { promise: true } } } }",
      "bridges.acme.objects.A.m in footbridge.yaml has an unknown key, promise."
    ),
  ])
  func `the error about an object names the place`(section: String, expected: String) {
    let error = #expect(throws: OptionError.self) { try options(section) }
    #expect(error?.description.contains(expected) == true, "\(error?.description ?? "")")
  }

  @Test func `two bridges cannot put the same object into a page`() throws {
    let bridges = "{ a: { objects: { A: {} } }, b: { objects: { A: {} } }, c: { pages: /c/*, objects: { B: {} } } }"
    let error = #expect(throws: OptionError.self) { try options(bridges: bridges) }
    #expect(error?.description.contains("bridges.b.objects.A is an object of a, too.") == true)
  }
}

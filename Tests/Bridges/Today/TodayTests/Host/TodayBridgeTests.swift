import BridgeCore
import BridgeRuntime
import CookieJar
import Foundation
import Testing

@testable import Today

/// The contract, at the level of messages: the channel, `track`, and what must never happen.
@Suite @BridgeActor struct TodayBridgeTests {
  private let app: TestApp

  init() throws {
    app = try TestApp()
  }

  // MARK: The channel

  /// What the page may post and gets `undefined` for; nil stands for `undefined`.
  @Test(
    arguments: [
      nil, .null, 42, "x", true, [], [:], ["type": 7], ["type": nil], ["type": ["track"]], ["type": "nope"],
      ["type": "Track"],
      ["type": ""], ["kind": "headers"], [["type": "headers"]],
    ] as [JSONValue?])
  func `a malformed or unknown message resolves undefined`(_ message: JSONValue?) async throws {
    let page = try app.page()
    page.post(message)
    #expect(try await page.answer() == .undefined)
    #expect(app.remarks == [.unknownMessage])
  }

  @Test func `unknown fields of a message are ignored`() async throws {
    app.host.signOut()
    let page = try app.page()
    page.post(["type": "headers", "id": "x", "isMainFrame": false, "url": "https://evil.example/"])
    #expect(try await page.answer() == .value(["X-Feed": "1"]))
  }

  // MARK: track

  @Test func `track sends scalar parameters and the host's base fields`() async throws {
    app.host.identity.context = ["build": 7]
    let page = try app.page()
    page.post([
      "type": "track", "ename": "opened",
      "parameters": [
        "a": 1, "b": "s", "c": true, "d": nil, "e": [1], "f": [:], "g": ["$footbridge": "date", "value": 1],
        "uid": "evil",
        "ts": 1, "client_plat": "evil", "ctx": "evil",
      ],
    ])
    #expect(try await page.answer() == .undefined)
    let event = try #require(app.host.events.first)
    #expect(event.name == "opened")
    var properties = event.properties
    #expect(properties.removeValue(forKey: "eid")?.stringValue?.count == 36)
    #expect(
      properties == [
        "a": 1, "b": "s", "c": true, "sid": "session", "did": "device", "uid": "user", "client_plat": "ios",
        "tz": "Europe/Berlin", "ts": .number(app.clock.now.millisecondsSinceEpoch), "ctx": ["build": 7],
      ])
    #expect(app.tracked == [event])
  }

  @Test func `each event has a unique id, and a null uid while signed out`() async throws {
    let page = try app.page()
    app.host.signOut()
    for _ in 1...2 { page.post(["type": "track", "ename": "e"]) }
    #expect(Set(app.host.events.map(\.eventID)).count == 2)
    #expect(app.host.events.map { $0.properties["uid"] } == [.null, .null])
  }

  @Test(
    arguments: [
      ["type": "track"], ["type": "track", "ename": ""], ["type": "track", "ename": 7],
      ["type": "track", "ename": nil],
    ] as [JSONValue])
  func `an event without a name is dropped with a remark`(_ message: JSONValue) async throws {
    let page = try app.page()
    page.post(message)
    #expect(try await page.answer() == .undefined)
    #expect(app.host.events.isEmpty && app.remarks == [.trackWithoutName])
  }

  @Test(arguments: [nil, .null, [], "x", 7, ["$footbridge": "date"]] as [JSONValue?])
  func `parameters that are not an object are dropped`(_ parameters: JSONValue?) async throws {
    let page = try app.page()
    var message: [String: JSONValue] = ["type": "track", "ename": "e"]
    message["parameters"] = parameters
    page.post(.object(message))
    #expect(app.host.events.map(\.parameters) == [[:]])
  }

  @Test func `an event that is too large is dropped with a remark, and stored events are limited`() async throws {
    let page = try app.page()
    page.post(["type": "track", "ename": "e", "parameters": ["a": .string(String(repeating: "x", count: 70_000))]])
    #expect(app.host.events.isEmpty && app.remarks.count == 1)
    for number in 0..<2500 { page.post(["type": "track", "ename": .string("e\(number)")]) }
    #expect(app.host.events.count == 1000 && app.host.events.last?.name == "e2499")
  }

  // MARK: What never happens

  @Test func `no description or event contains the token`() async throws {
    let secret = "hush-hush-token"
    let page = try app.page()
    page.post(["type": "track", "ename": "before"])
    page.post(["type": "establishSession"])
    try await app.finishRefresh(1, token: secret)
    page.post(["type": "track", "ename": "after"])
    _ = try await page.answer(3)
    var outputs = page.transcript
    dump(app.host, to: &outputs)
    dump(app.host.events, to: &outputs)
    dump(app.remarks, to: &outputs)
    dump(app.cookies, to: &outputs)
    dump(app.cookies.metadata, to: &outputs)
    dump(page.bridge, to: &outputs)
    for event in app.host.events { outputs += JSONValue.object(event.properties).jsonText }
    #expect(outputs.contains("after") && !outputs.contains("hush"))
    #expect(try app.cookieHeader("https://today.example/api/") == "embed_bearer=\(secret)")
  }
}

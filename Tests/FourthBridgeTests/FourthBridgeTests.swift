import BridgeCore
import BridgeRuntime
import Footbridge
import FootbridgeTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A bridge from outside of `Sources/`, with its own file and one registration: the server, pages, rules and the journal have it.
@Suite @BridgeActor struct FourthBridgeTests {
  /// Options with the bridge, as a file of this text sets them.
  private nonisolated func options(_ file: String = "") throws -> FootbridgeOptions {
    var bridges = BridgeList()
    bridges.register(Doorbell())
    let file = try OptionFile(path: "footbridge.yaml", text: file, bridges: bridges)
    var options = try OptionSources(flags: [:], environment: [:], file: file).options()
    options.port = 0
    options.state = nil
    options.seed = 1
    return options
  }

  private func withServer(_ file: String = "", _ body: @BridgeActor (TestServer) async throws -> Void) async throws {
    let options = try options(file)
    try await TestServer.run({ $0 = options }, body)
  }

  private let press: JSONValue = ["pin": "4711", "floor": 2]

  // MARK: The server

  @Test func `a fourth bridge reads its section, and the error about a mistake names the place`() throws {
    #expect(try options("doorbell: { sound: dong }").bridges[Doorbell.self]?.sound == "dong")
    let error = #expect(throws: OptionError.self) { try options("doorbell: { colour: red }") }
    #expect(error?.description.contains("doorbell in footbridge.yaml has an unknown key, colour") == true)
  }

  @Test func `a fourth bridge has its channel in the shim, and its route in the control API`() async throws {
    try await withServer { server in
      let address = try server.listen().plain
      let shim = try await get("\(address)/__footbridge/shim.js")
      #expect(shim.contains(#"{"action":"doorbell.message","name":"doorbell","reply":true}"#))
      try await server.openPage().post(press, to: "doorbell")
      let session = "\(address)\(FootbridgeServer.controlPath)/sessions/\(server.session.id)"
      let token = server.footbridge.controlToken.reveal()
      #expect(try await get("\(session)/doorbell", token) == #"{"presses":1}"# + "\n")
      #expect(try await get(session, token).contains(#""doorbell":{"presses":1}"#))
    }
  }

  private nonisolated func get(_ address: String, _ token: String = "") async throws -> String {
    var request = URLRequest(url: try #require(URL(string: address)))
    request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
    return String(decoding: try await URLSession.shared.data(for: request).0, as: UTF8.self)
  }

  // MARK: A page

  @Test func `a fourth bridge answers a page, and its stored state outlives the launch`() async throws {
    try await withServer("doorbell: { sound: dong }") { server in
      let page = try await server.openPage()
      #expect(try await page.post(press, to: "doorbell") == "dong 1")
      server.session.relaunch()
      let next = try await server.openPage()
      #expect(try await next.post(press, to: "doorbell") == "dong 2")
    }
  }

  @Test func `the journal hides the members that a fourth bridge says are secret`() async throws {
    try await withServer { server in
      try await server.openPage().post(press, to: "doorbell")
      let request = server.journal.entries.first { $0.kind == .request && $0.action == "doorbell.message" }
      #expect(request?.data == ["value": ["pin": "‹secret›", "floor": 2]])
    }
  }

  @Test func `a rule about a fourth bridge's action decides`() async throws {
    let rule = "{ on: doorbell.message, where: { value: { floor: 2 } }, then: { result: nobody } }"
    let failure = "{ on: doorbell.message, then: { error: { code: broken, message: It is broken. } } }"
    try await withServer("scenario: away\nscenarios: { away: [\(rule), \(failure)] }") { server in
      let page = try await server.openPage()
      #expect(try await page.post(press, to: "doorbell") == "nobody")
      let error = await #expect(throws: BridgeErrorPayload.self) { try await page.post(press, to: "doorbell") }
      #expect(error?.code == "broken")
      #expect(try await page.post(press, to: "doorbell") == "ding 1")
      #expect(
        server.journal.entries.filter { $0.kind == .decision }.map(\.action).allSatisfy { $0 == "doorbell.message" })
    }
  }

  @Test func `a fourth bridge that is switched off has no channel, route or section`() async throws {
    try await withServer("doorbell: { enabled: false }") { server in
      let page = try await server.openPage()
      await #expect(throws: ExpectationError.self) { try await page.post(press, to: "doorbell") }
      let address = try server.listen().plain
      let token = server.footbridge.controlToken.reveal()
      let session = "\(address)\(FootbridgeServer.controlPath)/sessions/\(server.session.id)"
      #expect(try await get("\(session)/doorbell", token).contains("switched off"))
    }
  }

  // MARK: The others

  @Test(arguments: ["onside", "today", "gbg"])
  func `each built-in bridge can be switched off`(name: String) async throws {
    let actions = ["onside": "onside.purchase", "today": "today.headers", "gbg": "footbridge.sheet.capture"]
    let action = try #require(actions[name])
    #expect(throws: OptionError.self) {
      try options("\(name): { enabled: false }\nscenarios: { s: [{ on: \(action), then: { delay: 1 } }] }")
    }
    let handlers = ["onside": "onsideContract", "today": "todayWebViewBridge", "gbg": "\"gbgBridge\""]
    let handler = try #require(handlers[name])
    try await withServer("\(name): { enabled: false }") { server in
      try await server.openPage()
      let shim = try await get("\(try server.listen().plain)/__footbridge/shim.js")
      let arguments = shim.suffix(from: try #require(shim.range(of: "})({", options: .backwards)).lowerBound)
      #expect(!arguments.contains(handler))
      for other in handlers.values where other != handler { #expect(arguments.contains(other)) }
    }
  }
}

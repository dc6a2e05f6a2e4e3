import BridgeCore
import BridgeRuntime
import Footbridge
import FootbridgeTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct TestServerTests {
  @Test func `TestServer.current without the trait throws an error that names the trait`() {
    let error = #expect(throws: ExpectationError.self) { try TestServer.current }
    #expect(error?.description.contains("add the trait .footbridge") == true)
  }

  @Test(.footbridge { $0.gbg.isEnabled = false }) func `the server has the options of the trait`() async throws {
    let page = try await TestServer.current.openPage()
    await #expect(throws: ExpectationError.self) { try await page.post([:], to: "gbgBridge") }
  }

  @Test(.footbridge, arguments: [1, 2]) func `each argument of a test gets a server of its own`(number: Int)
    async throws
  {
    let server = try TestServer.current
    try await server.openPage()
    #expect(await server.journal.entries.filter { $0.action == "opened" }.map(\.page) == ["page-1"])
  }

  @Test(.footbridge) func `the clock of a test server stands still until it is advanced`() async throws {
    let server = try TestServer.current
    let page = try await server.openPage()
    try await page.call("capability.query")
    server.clock.advance(by: .seconds(60))
    try await page.call("capability.query")
    let times = await server.journal.entries.filter { $0.kind == .request }.compactMap { $0.json["time"]?.numberValue }
    #expect(times == [times[0], times[0] + 60_000])
  }

  @Test(.footbridge) func `a failed wait for the journal lists the nearest entries`() async throws {
    let server = try TestServer.current
    let page = try await server.openPage()
    try await page.call("capability.query", ["a": 1])
    let error = await #expect(throws: ExpectationError.self) {
      try await server.journal.first(.request, action: "capability.query", data: ["a": 2], within: .zero)
    }
    let lines = error?.description.split(separator: "\n").map(String.init) ?? []
    #expect(lines.first?.hasPrefix(#"No entry {"#) == true)
    #expect(lines.count > 3 && lines[2].contains("request capability.query") && lines[3].contains("data"))
    let entry = try await server.journal.first(.response, action: "capability.query", status: "success")
    #expect(entry.cause == (try await server.journal.first(.request, action: "capability.query")).cursor)
  }

  @Test(.footbridge) func `a listening test server serves HTTP clients in the same session`() async throws {
    let server = try TestServer.current
    let addresses = try await server.listen()
    #expect(addresses.plain.hasPrefix("http://127.0.0.1:"))
    #expect(await server.session.cookie.hasPrefix("footbridge_session="))
    let page = try await server.openPage()
    try await page.call("capability.query")
  }

  @Test func `a server stops when its test fails`() async throws {
    struct Failure: Error {}
    nonisolated(unsafe) var released: TestServer?
    await #expect(throws: Failure.self) {
      try await TestServer.run { server in
        released = server
        throw Failure()
      }
    }
    let server = try #require(released)
    await #expect(throws: ExpectationError.self) { try await server.openPage() }
  }
}

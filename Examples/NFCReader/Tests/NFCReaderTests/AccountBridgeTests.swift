import FootbridgeTesting
import Testing

@testable import NFCReader

@Suite(.footbridge { options in options.bridges.register(AccountBridge()) })
struct AccountBridgeTests {
  @Test func `the pages of a session share the signed-in account`() async throws {
    let server = try TestServer.current
    let (first, second) = (try await server.openPage(), try await server.openPage())
    #expect(try await first.post(["type": "whoami"], to: "account") == .null)
    #expect(try await first.post(["type": "login", "user": "eva"], to: "account") == nil)
    #expect(try await second.post(["type": "whoami"], to: "account") == "eva")
  }

  @Test func `an unknown message rejects`() async throws {
    let page = try await TestServer.current.openPage()
    await #expect(throws: (any Error).self) { try await page.post(["type": "x"], to: "account") }
  }
}

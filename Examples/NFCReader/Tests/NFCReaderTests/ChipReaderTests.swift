import BridgeCore
import FootbridgeTesting
import Testing

@testable import NFCReader

@Suite(.footbridge { options in options.onPage = { host in ChipReader.register(on: host) } })
struct ChipReaderTests {
  @Test func `a chip is read with the number of its document`() async throws {
    let server = try TestServer.current
    let page = try await server.openPage()
    let answer = try await page.call("nfc.read", ["documentNumber": "AB123456"])
    #expect(answer == ["chipRead": true, "documentNumber": "AB123456"])
    try await server.journal.first(.request, action: "nfc.read", data: ["documentNumber": "AB123456"])
  }

  @Test func `a chip is not read without the number`() async throws {
    let page = try await TestServer.current.openPage()
    let error = await #expect(throws: BridgeErrorPayload.self) { try await page.call("nfc.read") }
    #expect(error?.code == "INVALID_REQUEST")
  }
}

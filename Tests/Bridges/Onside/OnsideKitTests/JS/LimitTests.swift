import BridgeCore
import BridgeRuntime
import Testing

@testable import OnsideKit

@BridgeActor
struct LimitTests {
  @Test func `texts of a page that are too long are not stored`() async throws {
    let session = TestSession(account: "de")
    let page = try await session.loadedPage()
    let long = String(repeating: "a", count: 1 << 20)
    await #expect(throws: TestPage.Rejection(code: "bridge.invalidArguments")) {
      try await page.call("purchase", ["productIdentifier": "coins", "appAccountToken": .string(long)])
    }
    try await page.call("setDefaultCountryCodeAssumption", ["countryCode": .string(long)])
    session.onside.noteVisit(url: "http://shop.example/?" + long, referrer: "")
    #expect(session.onside.state.transactions.isEmpty)
    #expect(session.onside.state.launch.countryCodeAssumption == "")
    #expect(session.onside.state.firstVisit == nil)
  }
}

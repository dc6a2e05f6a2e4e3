import BridgeCore
import BridgeRuntime
import Testing

@testable import OnsideKit

@BridgeActor
struct ProductsTests {
  private func load(_ page: TestPage, _ identifiers: [JSONValue]) async throws -> (
    products: [JSONValue], invalid: JSONValue?
  ) {
    let data = try await page.call("loadProducts", ["productIdentifiers": .array(identifiers)])
    return (data?["products"]?.arrayValue ?? [], data?["invalidProductIdentifiers"])
  }

  @Test func `products are returned in the order of the request, and unknown ones as invalid`() async throws {
    let page = TestSession().page()
    let (products, invalid) = try await load(page, ["gold", "nothing", "coins", "gold", ""])
    #expect(products.compactMap { $0["productIdentifier"] } == ["gold", "coins"])
    #expect(invalid == ["nothing", ""])
    #expect(
      products.first == [
        "productIdentifier": "gold", "localizedTitle": "gold auf Deutsch", "localizedDescription": "",
        "subscriptionGroupIdentifier": "club", "subscriptionPeriod": ["unit": "month", "numberOfUnits": 1],
        "price": ["value": 20, "currencyCode": "EUR"],
        "introductoryPrice": [
          "price": ["value": 1, "currencyCode": "EUR"], "period": ["unit": "month", "numberOfUnits": 2],
        ],
      ])
  }

  @Test func `a price reaches the page with its own decimal digits`() async throws {
    let (products, _) = try await load(TestSession().page(), ["coins"])
    #expect(products.first?["price"]?["value"]?.jsonText == "0.99")
  }

  @Test func `the region is the account's, else the assumed country, else the system's`() async throws {
    let session = TestSession()
    let page = session.page()
    func currency() async throws -> JSONValue? {
      try await load(page, ["pass"]).products.first?["price"]?["currencyCode"]
    }
    #expect(try await currency() == "EUR")
    try await page.call("setDefaultCountryCodeAssumption", ["countryCode": "us"])
    #expect(try await currency() == "USD")
    session.onside.signIn(account: "es")
    #expect(try await currency() == "EUR")
    try await page.call("logout")
    #expect(try await currency() == "USD")
    try await page.call("setDefaultCountryCodeAssumption", ["countryCode": ""])
    #expect(try await currency() == "EUR")
  }

  @Test func `the delegate's country assumption sets the region`() async throws {
    final class Delegate: OnsideDelegate {
      func onsideDefaultCountryCodeAssumption() -> String? { "US" }
    }
    let session = TestSession()
    let delegate = Delegate()
    session.onside.delegate = delegate
    let (products, _) = try await load(session.page(), ["pass"])
    #expect(products.first?["price"]?["currencyCode"] == "USD")
  }

  @Test func `products not sold in the region are invalid, and prices are those of the region`() async throws {
    let session = TestSession(account: "es")
    let (products, invalid) = try await load(session.page(), ["sticker", "coins"])
    #expect(products.first?["price"] == ["value": 1.09, "currencyCode": "EUR"])
    #expect(products.first?["localizedTitle"] == "coins in English")
    #expect(invalid == ["sticker"])
  }

  @Test(
    arguments: [["productIdentifiers": ["a", 1]], ["productIdentifiers": "a"], ["input": nil], [:]]
      as [[String: JSONValue]])
  func `identifiers that are not an array of strings are invalid arguments`(_ arguments: [String: JSONValue])
    async throws
  {
    let page = TestSession().page()
    await #expect(throws: TestPage.Rejection(code: "bridge.invalidArguments")) {
      try await page.call("loadProducts", arguments)
    }
  }

  @Test func `a native request calls its delegate with the response, and then that it has finished`() async throws {
    let session = TestSession()
    let delegate = Delegate(changes: session.changes)
    let request = session.onside.makeProductsRequest(productIdentifiers: ["coins", "nothing"])
    request.delegate = delegate
    request.start()
    request.start()
    await session.changes.until { delegate.log.count == 2 }
    #expect(delegate.log == ["received coins without nothing", "finished"])
    request.stop()
    #expect(delegate.log.count == 2)
  }

  @Test func `a stopped products request fails as cancelled`() async throws {
    let session = TestSession { try? $0.set(OnsideCallBehaviour(delayMilliseconds: 100), for: .loadProducts) }
    let delegate = Delegate(changes: session.changes)
    let request = session.onside.makeProductsRequest(productIdentifiers: ["coins"])
    request.delegate = delegate
    request.start()
    request.stop()
    #expect(delegate.log == ["failed: cancelled", "finished"])
  }

  @Test func `a products request that is released is cancelled without calling its delegate`() async throws {
    let session = TestSession { try? $0.set(OnsideCallBehaviour(delayMilliseconds: 100), for: .loadProducts) }
    let delegate = Delegate(changes: session.changes)
    var request: OnsideProductsRequest? = session.onside.makeProductsRequest(productIdentifiers: ["coins"])
    request?.delegate = delegate
    request?.start()
    while session.clock.sleeperCount == 0 { await Task.yield() }
    request = nil
    while session.clock.sleeperCount > 0 { await Task.yield() }
    #expect(delegate.log.isEmpty)
  }

  private final class Delegate: OnsideProductsRequestDelegate {
    var log: [String] = []
    let changes: Changes

    init(changes: Changes) { self.changes = changes }

    func onsideProductsRequest(_ request: OnsideProductsRequest, didReceive response: OnsideProductsResponse) {
      let found = response.products.map(\.productIdentifier).joined()
      log.append("received \(found) without \(response.invalidProductIdentifiers.joined())")
    }

    func onsideProductsRequest(_ request: OnsideProductsRequest, didFailWithError error: OnsideProductsRequestError) {
      log.append("failed: \(error.rawValue)")
    }

    func onsideProductsRequestDidFinish(_ request: OnsideProductsRequest) {
      log.append("finished")
      changes.note()
    }
  }
}

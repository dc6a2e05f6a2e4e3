import BridgeCore
import BridgeRuntime
import Testing

@testable import OnsideKit

@BridgeActor
struct PriceChangeTests {
  /// Products loaded in Germany, then a purchase during which someone from Spain logs in.
  private func purchase(_ product: JSONValue, change: (inout OnsideSettings) -> Void = { _ in }) async throws -> (
    TestSession, TestPage
  ) {
    let session = TestSession(change: change)
    let page = try await session.loadedPage()
    session.presenter.answer("login", .approve(["account": "es"]))
    try await page.call("purchase", ["productIdentifier": product])
    return (session, page)
  }

  @Test func `a price changed by the login is shown in a sheet and paid with it`() async throws {
    let (session, page) = try await purchase("coins")
    let sheet = await session.presenter.sheet("priceChange")
    #expect(sheet.content["oldPrice"] == ["value": 0.99, "currencyCode": "EUR"])
    #expect(sheet.content["newPrice"] == ["value": 1.09, "currencyCode": "EUR"])
    #expect(sheet.content["storefront"] == ["countryCode": "ES"])
    #expect(sheet.content["price"] == ["value": 1.09, "currencyCode": "EUR"])
    #expect(sheet.content["account"]?["email"] != nil)
    session.presenter.answer(sheet, .approve())
    _ = await page.states(2)
    let transaction = try #require(try await page.transactions().first)
    #expect(transaction["payment"]?["product"]?["price"]?["value"] == 1.09)
    #expect(session.onside.state.ledger.purchases.first?.price.minorUnits == 109)
  }

  @Test func `declining the new price fails the transaction without an order`() async throws {
    let (session, page) = try await purchase("coins")
    session.presenter.answer(await session.presenter.sheet("priceChange"), .cancel)
    #expect(await page.states(2) == ["purchasing", "failed"])
    #expect(session.onside.state.ledger.purchases.isEmpty)
  }

  @Test func `the price change sheet is shown even when dialogs are disabled`() async throws {
    let (session, page) = try await purchase("coins") { $0.disableDialogs = true }
    session.presenter.answer(await session.presenter.sheet("priceChange"), .approve())
    #expect(await page.states(2) == ["purchasing", "purchased"])
  }

  @Test func `a product not sold in the account's country shows the unavailable sheet and fails`() async throws {
    let (session, page) = try await purchase("sticker")
    let sheet = await session.presenter.sheet("unavailable")
    #expect(sheet.content["product"]?["productIdentifier"] == "sticker")
    session.presenter.answer(sheet, .approve())
    #expect(await page.states(2) == ["purchasing", "failed"])
  }

  @Test func `the same price in another country shows no price change sheet`() async throws {
    let (session, _) = try await purchase("pass")
    _ = await session.presenter.sheet("payment")
  }

  @Test func `shouldContinueTransaction is asked before the price change sheet`() async throws {
    let session = TestSession()
    let page = try await session.loadedPage()
    page.answers = ["onside.shouldContinueTransaction": false]
    session.presenter.answer("login", .approve(["account": "es"]))
    try await page.call("purchase", ["productIdentifier": "coins"])
    _ = await page.states(2)
    #expect(session.presenter.presented.map(\.kind) == ["login"])
  }

  @Test func `a payment that waits for approval retains its country and price`()
    async throws
  {
    let session = TestSession(account: "de") {
      $0.askToBuyEnabled = true
      $0.disableDialogs = true
    }
    let page = try await session.loadedPage()
    try await page.call("purchase", ["productIdentifier": "coins"])
    let queue = session.onside.defaultPaymentQueue()
    while queue.transactionsAwaitingApproval.isEmpty { await Task.yield() }
    session.onside.move(account: "de", to: "ES")
    #expect(queue.approve(queue.transactions[0].id))
    #expect(await page.states(2) == ["purchasing", "purchased"])
    #expect(session.presenter.presented.isEmpty)
    let order = try #require(session.onside.state.ledger.purchases.first)
    #expect(order.countryCode == "DE" && order.price.minorUnits == 99)
  }

  @Test func `an account that moves during the payment sheet is asked for the new country's price`()
    async throws
  {
    let session = TestSession(account: "de")
    let page = try await session.loadedPage()
    try await page.call("purchase", ["productIdentifier": "coins"])
    let payment = await session.presenter.sheet("payment")
    session.onside.move(account: "de", to: "ES")
    session.presenter.answer(payment, .approve())
    let change = await session.presenter.sheet("priceChange")
    session.presenter.answer(change, .approve())
    _ = await page.states(2)
    #expect(try await page.transactions().first?["storefront"]?["countryCode"] == "ES")
    #expect(session.onside.state.ledger.purchases.first?.countryCode == "ES")
  }
}

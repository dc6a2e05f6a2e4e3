import BridgeCore
import BridgeRuntime
import Testing

@testable import OnsideKit

@BridgeActor
struct PurchaseTests {
  @Test func `a purchase is purchasing, shows the payment sheet and is purchased`() async throws {
    let session = TestSession(account: "de")
    let page = try await session.loadedPage()
    #expect(try await page.call("purchase", ["productIdentifier": "coins", "appAccountToken": "token"]) == nil)
    let sheet = await session.presenter.sheet("payment")
    #expect(page.states == ["purchasing"])
    #expect(try await page.transactions().first?["transactionIdentifier"] == nil)
    #expect(sheet.content["price"] == ["value": 0.99, "currencyCode": "EUR"])
    #expect(sheet.content["account"] == ["name": "Uta Muster", "email": "uta@example.de"])
    #expect(sheet.content["storefront"] == ["countryCode": "DE"])
    #expect(sheet.content["theme"] == "system")
    session.presenter.answer(sheet, .approve())
    #expect(await page.states(2) == ["purchasing", "purchased"])
    let transaction = try #require(try await page.transactions().first)
    #expect(transaction["transactionIdentifier"]?.stringValue != nil)
    #expect(transaction["payment"]?["appAccountToken"] == "token")
    #expect(transaction["payment"]?["product"]?["localizedTitle"] == "coins auf Deutsch")
    #expect(transaction["error"] == nil)
  }

  @Test func `a dismissed payment sheet fails the transaction as cancelled`() async throws {
    let session = TestSession(account: "de")
    session.presenter.answer("payment", .cancel)
    let page = try await session.loadedPage()
    try await page.call("purchase", ["productIdentifier": "coins"])
    #expect(await page.states(2) == ["purchasing", "failed"])
    let transaction = try #require(try await page.transactions().first)
    #expect(transaction["error"] == ["cancelled": [:]])
    #expect(transaction["transactionIdentifier"] == nil)
    #expect(session.onside.state.ledger.purchases.isEmpty)
  }

  @Test func `a purchase of a product that was not loaded is rejected as unknownProduct`() async throws {
    let page = TestSession(account: "de").page()
    await #expect(throws: TestPage.Rejection(code: "unknownProduct")) {
      try await page.call("purchase", ["productIdentifier": "coins"])
    }
  }

  @Test func `a purchase without a signed-in account asks for the login first`() async throws {
    let session = TestSession()
    let page = try await session.loadedPage()
    let call = page.start("purchase", ["productIdentifier": "coins"])
    let login = await session.presenter.sheet("login")
    #expect(!page.isAnswered(call))
    session.presenter.answer(login, .approve(["account": "de", "method": "email"]))
    _ = try await page.result(of: call)
    let payment = await session.presenter.sheet("payment")
    session.presenter.answer(payment, .approve())
    _ = await page.states(2)
    let transaction = try #require(try await page.transactions().first)
    let storefront = try await page.call("getCurrentStorefront")?["storefront"]
    #expect(transaction["storefront"] == storefront)
    #expect(storefront?["countryCode"] == "DE")
  }

  @Test func `a dismissed login rejects the purchase without a transaction`() async throws {
    let session = TestSession()
    session.presenter.answer("login", .cancel)
    let page = try await session.loadedPage()
    await #expect(throws: TestPage.Rejection(code: "loginDiscarded")) {
      try await page.call("purchase", ["productIdentifier": "coins"])
    }
    #expect(try await page.transactions().isEmpty)
    #expect(page.states.isEmpty)
  }

  @Test func `purchases are reported at once and paid one after another`() async throws {
    let session = TestSession(account: "de")
    let page = try await session.loadedPage()
    try await page.call("purchase", ["productIdentifier": "coins"])
    try await page.call("purchase", ["productIdentifier": "sticker"])
    let first = await session.presenter.sheet("payment")
    #expect(page.states == ["purchasing", "purchasing"])
    #expect(session.presenter.open.count == 1)
    #expect(first.content["product"]?["productIdentifier"] == "coins")
    session.presenter.answer(first, .approve())
    _ = await page.states(3)
    let second = await session.presenter.sheet("payment")
    #expect(second.content["product"]?["productIdentifier"] == "sticker")
  }

  @Test func `a reload during a purchase leaves the sheet open, and the new page gets the result`() async throws {
    let session = TestSession(account: "de")
    let old = try await session.loadedPage()
    try await old.call("purchase", ["productIdentifier": "coins"])
    let sheet = await session.presenter.sheet("payment")
    old.close()
    let new = session.page()
    #expect(try await new.transactions().first?["transactionState"] == "purchasing")
    session.presenter.answer(sheet, .approve())
    #expect(await new.states(1) == ["purchased"])
    #expect(old.states == ["purchasing"])
  }

  @Test func `products that a page loaded can be bought by the next page, but not after a relaunch`() async throws {
    let session = TestSession(account: "de")
    try await session.loadedPage().close()
    try await session.page().call("purchase", ["productIdentifier": "coins"])
    session.launch()
    let page = session.page()
    await #expect(throws: TestPage.Rejection(code: "unknownProduct")) {
      try await page.call("purchase", ["productIdentifier": "coins"])
    }
  }

  @Test func `signing out cancels unpaid transactions`() async throws {
    let session = TestSession(account: "de")
    let page = try await session.loadedPage()
    try await page.call("purchase", ["productIdentifier": "coins"])
    _ = await session.presenter.sheet("payment")
    try await page.call("logout")
    #expect(await page.states(2) == ["purchasing", "failed"])
    await session.changes.until { session.presenter.open.isEmpty }
  }

  @Test(
    arguments: [
      ["productIdentifier": 1], ["input": 3], [:], ["productIdentifier": "coins", "appAccountToken": 1],
    ] as [[String: JSONValue]])
  func `arguments of the wrong type are rejected as invalid`(_ arguments: [String: JSONValue]) async throws {
    let page = try await TestSession(account: "de").loadedPage()
    await #expect(throws: TestPage.Rejection(code: "bridge.invalidArguments")) {
      try await page.call("purchase", arguments)
    }
  }
}

import BridgeCore
import BridgeRuntime
import Testing

@testable import OnsideKit

@BridgeActor
struct ShouldContinueTests {
  @Test func `contract docs asks before each transaction, with the transaction and the storefront`() async throws {
    let session = TestSession(account: "de")
    let page = try await session.loadedPage()
    page.answers = [:]
    try await page.call("purchase", ["productIdentifier": "coins"])
    let question = await page.question("shouldContinueTransaction")
    #expect(session.presenter.open.isEmpty)
    #expect(question.payload.data?["transaction"] == (try await page.transactions().first))
    #expect(question.payload.data?["storefront"]?["countryCode"] == "DE")
    page.respond(to: question, true)
    _ = await session.presenter.sheet("payment")
  }

  @Test func `in contract docs a refusal cancels the transaction`() async throws {
    let session = TestSession(account: "de")
    let page = try await session.loadedPage()
    page.answers = ["onside.shouldContinueTransaction": false]
    try await page.call("purchase", ["productIdentifier": "coins"])
    #expect(await page.states(2) == ["purchasing", "failed"])
    #expect(try await page.transactions().first?["error"] == ["cancelled": [:]])
    #expect(session.presenter.presented.isEmpty)
  }

  @Test(arguments: [true, .null, "false", 0] as [JSONValue])
  func `shouldContinueTransaction continues for any answer but false`(_ answer: JSONValue) async throws {
    let session = TestSession(account: "de")
    let page = try await session.loadedPage()
    page.answers = ["onside.shouldContinueTransaction": answer]
    try await page.call("purchase", ["productIdentifier": "coins"])
    _ = await session.presenter.sheet("payment")
  }

  @Test func `a transaction continues if its page closes while it is asked`() async throws {
    let session = TestSession(account: "de")
    let page = try await session.loadedPage()
    page.answers = [:]
    try await page.call("purchase", ["productIdentifier": "coins"])
    _ = await page.question("shouldContinueTransaction")
    page.close()
    _ = await session.presenter.sheet("payment")
  }

  @Test func `shouldContinueTransaction is asked of the page that made the purchase`() async throws {
    let session = TestSession(account: "de")
    let buyer = try await session.loadedPage()
    let other = session.page()
    buyer.answers = ["onside.shouldContinueTransaction": false]
    try await buyer.call("purchase", ["productIdentifier": "coins"])
    #expect(await other.states(2) == ["purchasing", "failed"])
    #expect(!other.log.contains { $0.type == .request })
  }

  @Test func `a transaction that is finished while the page is asked leaves the queue, and the next one starts`()
    async throws
  {
    let session = TestSession(account: "de")
    let page = try await session.loadedPage()
    page.answers = [:]
    try await page.call("purchase", ["productIdentifier": "coins"])
    try await page.call("purchase", ["productIdentifier": "sticker"])
    let first = await page.question("shouldContinueTransaction")
    let id = try #require(try await page.transactions().first?["id"])
    try await page.call("finishTransaction", ["id": id])
    let second = await page.question("shouldContinueTransaction", count: 2)
    page.respond(to: first, true)
    page.respond(to: second, true)
    let sheet = await session.presenter.sheet("payment")
    #expect(sheet.content["product"]?["productIdentifier"] == "sticker")
  }

  // MARK: 1.3

  @Test func `contract 1_3 does not ask in the storefront in which the transaction was added`() async throws {
    let session = TestSession(account: "de") { $0.contract = .version1_3 }
    let page = try await session.loadedPage()
    page.answers = [:]
    try await page.call("purchase", ["productIdentifier": "coins"])
    let sheet = await session.presenter.sheet("payment")
    session.presenter.answer(sheet, .approve())
    _ = await page.states(2)
    let transaction = try #require(try await page.transactions().first)
    #expect(transaction["originalTransactionIdentifier"] == transaction["transactionIdentifier"])
  }

  @Test func `contract 1_3 asks when the account moves while a transaction waits, and a refusal removes it`()
    async throws
  {
    let session = TestSession(account: "de") { $0.contract = .version1_3 }
    let page = try await session.loadedPage()
    page.answers = ["onside.shouldContinueTransaction": false]
    try await page.call("purchase", ["productIdentifier": "pass"])
    try await page.call("purchase", ["productIdentifier": "coins"])
    let sheet = await session.presenter.sheet("payment")
    session.onside.move(account: "de", to: "ES")
    session.presenter.answer(sheet, .approve())
    await page.callback("onTransactionsRemoved", count: 2)
    #expect(page.states == ["purchasing", "purchasing"])
    let question = await page.question("shouldContinueTransaction")
    #expect(question.payload.data?["transaction"]?["storefront"]?["countryCode"] == "DE")
    #expect(question.payload.data?["storefront"]?["countryCode"] == "ES")
    #expect(session.onside.state.ledger.purchases.isEmpty)
  }

  @Test func `contract 1_3 asks after a login that a purchase needed, and a refusal rejects the purchase`() async throws
  {
    let session = TestSession { $0.contract = .version1_3 }
    session.presenter.answer("login", .approve(["account": "de"]))
    let page = try await session.loadedPage()
    page.answers = ["onside.shouldContinueTransactionAfterLogin": false]
    await #expect(throws: TestPage.Rejection(code: "rejectedAfterLogin")) {
      try await page.call("purchase", ["productIdentifier": "coins"])
    }
    #expect(page.states.isEmpty)
    let question = await page.question("shouldContinueTransactionAfterLogin")
    #expect(question.payload.data?["transaction"]?["storefront"]?["countryCode"] == "DE")
  }
}

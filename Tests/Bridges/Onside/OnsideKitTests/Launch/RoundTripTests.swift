import BridgeCore
import BridgeRuntime
import Testing

@testable import OnsideKit

/// The store's servers take their time. What a page asks for in one turn is known before the first answer.
@BridgeActor
struct RoundTripTests {
  private let session = TestSession(account: "de", roundTrip: .milliseconds(20))

  @Test func `a purchase in the same turn does not find the products that are being loaded`() async throws {
    let page = session.page()
    let load = page.start("loadProducts", ["productIdentifiers": ["coins"]])
    let purchase = page.start("purchase", ["productIdentifier": "coins"])
    await #expect(throws: TestPage.Rejection(code: "unknownProduct")) { try await page.result(of: purchase) }
    #expect(!page.isAnswered(load))
    _ = try await page.result(of: load)
    session.presenter.answer("payment", .approve())
    try await page.call("purchase", ["productIdentifier": "coins"])
    #expect(await page.states(2) == ["purchasing", "purchased"])
  }

  @Test func `two loads at once are answered in their order`() async throws {
    let page = session.page()
    let calls = (0..<5).map { _ in page.start("loadProducts", ["productIdentifiers": ["coins"]]) }
    _ = try await page.result(of: calls[4])
    #expect(page.log.map(\.correlationId) == calls)
  }

  @Test func `a restore brings nothing before calls of the same turn are answered`() async throws {
    _ = session.onside.seedPurchase(of: "sticker", account: "de", purchasedAt: session.clock.now, isFinished: true)
    let page = session.page()
    page.start("restoreCompletedTransactions")
    let transactions = page.start("getTransactions")
    #expect(try await page.result(of: transactions)?["transactions"] == [])
    await page.callback("onRestoreCompletedTransactionsFinished")
    #expect(try await page.transactions().count == 1)
  }

  @Test func `a payment without a sheet is purchasing while calls of the same turn are answered`() async throws {
    session.onside.settings.disableDialogs = true
    let page = try await session.loadedPage()
    page.start("purchase", ["productIdentifier": "coins"])
    let transactions = try await page.result(of: page.start("getTransactions"))?["transactions"]?.arrayValue
    #expect(transactions?.map { $0["transactionState"] } == ["purchasing"])
    #expect(await page.states(2) == ["purchasing", "purchased"])
  }

  @Test func `logins of one turn share an automatic answer`() async throws {
    session.onside.logout()
    session.presenter.answer("login", .approve().automatic)
    let page = session.page()
    let logins = (0..<3).map { _ in page.start("requestLogin") }
    for login in logins { _ = try await page.result(of: login) }
    #expect(session.presenter.presented.map(\.kind) == ["login"])
  }
}

import BridgeCore
import BridgeRuntime
import Testing

@testable import OnsideKit

@BridgeActor
struct RestoreTests {
  /// A session whose account has bought these, with nothing left in the queue.
  private func session(buying products: [JSONValue], change: (inout OnsideSettings) -> Void = { _ in }) async throws
    -> TestSession
  {
    let session = TestSession(account: "de") {
      $0.disableDialogs = true
      change(&$0)
    }
    let page = try await session.loadedPage()
    for product in products {
      try await page.call("purchase", ["productIdentifier": product])
      let states = await page.states(page.states.count + 1)
      #expect(states.last == "purchased" || states.last == "purchasing")
      await session.changes.until { page.states.last == "purchased" }
      let id = try #require(try await page.transactions().first?["id"])
      try await page.call("finishTransaction", ["id": id])
    }
    page.close()
    return session
  }

  @Test func `non-consumables and live subscriptions are restored one by one, then the restore is finished`()
    async throws
  {
    let session = try await session(buying: ["coins", "sticker", "pass", "gold"])
    let page = session.page()
    try await page.call("restoreCompletedTransactions")
    await page.callback("onRestoreCompletedTransactionsFinished")
    #expect(page.states == ["restored", "restored"])
    #expect(page.callbacks("onTransactionsUpdated").count == 2)
    #expect(page.log.last?.payload.action == "onside.onRestoreCompletedTransactionsFinished")
    #expect(page.callbacks("onRestoreCompletedTransactionsFailedWithError").isEmpty)
    let transactions = try await page.transactions()
    let orders = session.onside.state.ledger.purchases
    #expect(transactions.map { $0["payment"]?["product"]?["productIdentifier"] } == ["sticker", "gold"])
    #expect(
      transactions.first?["transactionIdentifier"]?.stringValue
        == orders.first { $0.productIdentifier == "sticker" }?.id)
    #expect(transactions.first?["originalTransactionIdentifier"] == transactions.first?["transactionIdentifier"])
  }

  @Test func `a second restore delivers an unfinished transaction once`() async throws {
    let session = try await session(buying: ["sticker"])
    let page = session.page()
    try await page.call("restoreCompletedTransactions")
    await page.callback("onRestoreCompletedTransactionsFinished")
    try await page.call("restoreCompletedTransactions")
    await page.callback("onRestoreCompletedTransactionsFinished", count: 2)
    #expect(page.states == ["restored", "restored"])
    #expect(try await page.transactions().count == 1)
  }

  @Test func `a renewed subscription is restored with its current order`() async throws {
    let session = try await session(buying: ["silver"]) { $0.timeRate = .oneRenewalEveryTenSeconds }
    session.clock.advance(by: .seconds(25))
    let page = session.page()
    try await page.call("restoreCompletedTransactions")
    await page.callback("onRestoreCompletedTransactionsFinished")
    let transaction = try #require(try await page.transactions().first)
    let orders = session.onside.ledger.purchases
    #expect(orders.map(\.reason) == [.purchase, .renewal, .renewal])
    #expect(transaction["transactionIdentifier"]?.stringValue == orders.last?.id)
    #expect(transaction["originalTransactionIdentifier"]?.stringValue == orders.first?.id)
  }

  @Test func `refunded and lapsed purchases are not restored`() async throws {
    let session = try await session(buying: ["sticker", "silver"]) { $0.timeRate = .oneRenewalEveryTenSeconds }
    let orders = session.onside.ledger.purchases
    session.onside.refund(order: orders[0].id)
    session.onside.cancelSubscription(order: orders[1].id)
    session.clock.advance(by: .seconds(10))
    let page = session.page()
    try await page.call("restoreCompletedTransactions")
    await page.callback("onRestoreCompletedTransactionsFinished")
    #expect(page.states.isEmpty)
  }

  @Test func `only the account's own purchases are restored`() async throws {
    let session = try await session(buying: ["sticker"])
    session.onside.signIn(account: "es")
    let page = session.page()
    try await page.call("restoreCompletedTransactions")
    await page.callback("onRestoreCompletedTransactionsFinished")
    #expect(page.states.isEmpty)
  }

  @Test func `a restore asks for the login first`() async throws {
    let session = TestSession()
    session.presenter.answer("login", .cancel)
    let page = session.page()
    await #expect(throws: TestPage.Rejection(code: "loginDiscarded")) {
      try await page.call("restoreCompletedTransactions")
    }
    session.presenter.answer("login", .approve())
    try await page.call("restoreCompletedTransactions")
    await page.callback("onRestoreCompletedTransactionsFinished")
  }

  @Test func `signing out cancels a restore`() async throws {
    let session = try await session(buying: ["sticker"]) {
      try? $0.set(OnsideCallBehaviour(delayMilliseconds: 100), for: .restore)
    }
    let page = session.page()
    try await page.call("restoreCompletedTransactions")
    while session.clock.sleeperCount == 0 { await Task.yield() }
    try await page.call("logout")
    session.clock.advance(by: .milliseconds(100))
    let failure = await page.callback("onRestoreCompletedTransactionsFailedWithError")
    #expect(failure["error"] == ["cancelled": [:]])
    #expect(page.callbacks("onRestoreCompletedTransactionsFinished").isEmpty)
  }

  @Test func `a restore waits for an observer`() async throws {
    let session = try await session(buying: ["sticker"])
    session.launch()
    let queue = session.onside.defaultPaymentQueue()
    try await queue.restoreCompletedTransactions()
    #expect(queue.transactions.isEmpty)
    await session.page().callback("onRestoreCompletedTransactionsFinished")
    #expect(queue.transactions.map(\.transactionState) == [.restored])
  }
}

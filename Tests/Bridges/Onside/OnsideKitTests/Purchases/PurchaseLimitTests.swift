import BridgeCore
import BridgeRuntime
import Testing

@testable import OnsideKit

@BridgeActor
struct PurchaseLimitTests {
  private let busy = TestPage.Rejection(code: "bridge.brokenRequest")

  private func session(transactions: Int = 1000, orders: Int = 1000, account: String? = "de") -> TestSession {
    var configuration = TestSession.configuration()
    configuration.limits.transactions = transactions
    configuration.limits.orders = orders
    return TestSession(configuration, account: account)
  }

  @Test func `a purchase is refused at the limit of unfinished transactions, until one is finished`() async throws {
    let session = session(transactions: 2)
    var limits: [String] = []
    session.onside.onBound = { limits.append($0) }
    for _ in 0..<2 { session.presenter.answer("payment", .approve()) }
    let page = try await session.loadedPage()
    for _ in 0..<2 { try await page.call("purchase", ["productIdentifier": "coins"]) }
    await #expect(throws: busy) { try await page.call("purchase", ["productIdentifier": "coins"]) }
    #expect(limits.count == 1 && limits[0].contains("2 unfinished transactions"))
    _ = await page.states(4)
    let id = try #require(try await page.transactions().first?["id"])
    try await page.call("finishTransaction", ["id": id])
    await page.callback("onTransactionsRemoved")
    try await page.call("purchase", ["productIdentifier": "coins"])
    #expect(session.onside.state.transactions.count == 2)
  }

  @Test func `purchases that wait for one login are refused above the limit`() async throws {
    let session = session(transactions: 3, account: nil)
    let page = try await session.loadedPage()
    let calls = (0..<10).map { _ in page.start("purchase", ["productIdentifier": "coins"]) }
    let login = await session.presenter.sheet("login")
    session.presenter.answer(login, .approve(["account": "de", "method": "email"]))
    var refused = 0
    for call in calls {
      do throws(any Error) { _ = try await page.result(of: call) } catch { refused += 1 }
    }
    #expect(refused == 7)
    #expect(session.onside.state.transactions.count == 3)
  }

  @Test func `a purchase is refused at the limit of a session's orders`() async throws {
    let session = session(orders: 1)
    session.presenter.answer("payment", .approve())
    let page = try await session.loadedPage()
    try await page.call("purchase", ["productIdentifier": "coins"])
    _ = await page.states(2)
    await #expect(throws: busy) { try await page.call("purchase", ["productIdentifier": "coins"]) }
    #expect(session.onside.state.ledger.purchases.count == 1)
  }

  @Test func `at the limit of all sessions' orders, a session may have its share, and more when another one ends`()
    async throws
  {
    let total = OrderTotal(limit: 3, share: 1)
    let (first, second) = (session(), session())
    for each in [first, second] { each.onside.orderTotal = total }
    let pages = try await (first.loadedPage(), second.loadedPage())

    func buy(_ session: TestSession, _ page: TestPage) async throws {
      let states = page.states.count
      session.presenter.answer("payment", .approve())
      try await page.call("purchase", ["productIdentifier": "coins"])
      _ = await page.states(states + 2)
    }

    for _ in 0..<3 { try await buy(first, pages.0) }
    await #expect(throws: busy) { try await pages.0.call("purchase", ["productIdentifier": "coins"]) }
    try await buy(second, pages.1)
    await #expect(throws: busy) { try await pages.1.call("purchase", ["productIdentifier": "coins"]) }
    first.onside.terminate()
    try await buy(second, pages.1)
    #expect(second.onside.state.ledger.purchases.count == 2)
  }
}

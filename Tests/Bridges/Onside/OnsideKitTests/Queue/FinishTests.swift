import BridgeCore
import BridgeRuntime
import Testing

@testable import OnsideKit

@BridgeActor
struct FinishTests {
  private func id(_ page: TestPage) async throws -> JSONValue {
    try #require(try await page.transactions().first?["id"])
  }

  @Test func `a finished transaction leaves the queue after the promise has resolved`() async throws {
    let session = TestSession(account: "de")
    session.presenter.answer("payment", .approve())
    let page = try await session.loadedPage()
    try await page.call("purchase", ["productIdentifier": "coins"])
    _ = await page.states(2)
    #expect(try await page.call("finishTransaction", ["id": id(page)]) == nil)
    await page.callback("onTransactionsRemoved")
    let last = page.log.suffix(2).map(\.payload.action)
    #expect(last == ["onside.finishTransaction", "onside.onTransactionsRemoved"])
    #expect(try await page.transactions().isEmpty)
    #expect(session.onside.defaultPaymentQueue().tasks.isEmpty)
  }

  @Test func `finishing an unknown id is rejected`() async throws {
    let page = TestSession(account: "de").page()
    await #expect(throws: TestPage.Rejection(code: "unknownTransaction")) {
      try await page.call("finishTransaction", ["id": "nothing"])
    }
  }

  @Test func `finishing a payment before it is sent removes it and dismisses its sheet`() async throws {
    let session = TestSession(account: "de")
    let page = try await session.loadedPage()
    try await page.call("purchase", ["productIdentifier": "coins"])
    try await page.call("purchase", ["productIdentifier": "sticker"])
    _ = await session.presenter.sheet("payment")
    try await page.call("finishTransaction", ["id": id(page)])
    await page.callback("onTransactionsRemoved")
    await session.changes.until { session.presenter.open.first?.content["product"]?["productIdentifier"] == "sticker" }
    #expect(page.states == ["purchasing", "purchasing"])
  }

  @Test func `finishing a payment in flight has no effect`() async throws {
    let session = TestSession(account: "de") { try? $0.set(OnsideCallBehaviour(delayMilliseconds: 500), for: .payment) }
    session.presenter.answer("payment", .approve())
    let page = try await session.loadedPage()
    try await page.call("purchase", ["productIdentifier": "coins"])
    await session.changes.until { session.onside.state.transactions.first?.isSent == true || !page.states.isEmpty }
    while session.clock.sleeperCount == 0 { await Task.yield() }
    let transaction = try #require(try await page.transactions().first)
    #expect(transaction["transactionState"] == "purchasing")
    #expect(transaction["transactionIdentifier"]?.stringValue != nil)
    try await page.call("finishTransaction", ["id": id(page)])
    #expect(try await page.transactions().count == 1)
    session.clock.advance(by: .milliseconds(500))
    #expect(await page.states(2) == ["purchasing", "purchased"])
    #expect(page.callbacks("onTransactionsRemoved").isEmpty)
  }

  @Test func `a finished transaction is removed after the configured delay`() async throws {
    let session = TestSession(account: "de") {
      try? $0.set(OnsideCallBehaviour(delayMilliseconds: 500), for: .finishTransaction)
    }
    session.presenter.answer("payment", .cancel)
    let page = try await session.loadedPage()
    try await page.call("purchase", ["productIdentifier": "coins"])
    _ = await page.states(2)
    try await page.call("finishTransaction", ["id": id(page)])
    try await page.call("finishTransaction", ["id": id(page)])
    while session.clock.sleeperCount == 0 { await Task.yield() }
    #expect(page.callbacks("onTransactionsRemoved").isEmpty)
    session.clock.advance(by: .milliseconds(500))
    await page.callback("onTransactionsRemoved")
    #expect(try await page.transactions().isEmpty)
  }

  @Test func `an unfinished transaction is delivered again at the next launch, and not at a reload`()
    async throws
  {
    let session = TestSession(account: "de")
    session.presenter.answer("payment", .approve())
    let page = try await session.loadedPage()
    try await page.call("purchase", ["productIdentifier": "coins"])
    _ = await page.states(2)
    let before = try await id(page)
    page.close()
    let reloaded = session.page()
    #expect(try await id(reloaded) == before)
    #expect(reloaded.states.isEmpty)
    session.launch()
    let relaunched = session.page()
    #expect(await relaunched.states(1) == ["purchased"])
    #expect(try await id(relaunched) == before)
  }

  @Test func `a finished transaction is not delivered again`() async throws {
    let session = TestSession(account: "de") {
      try? $0.set(OnsideCallBehaviour(delayMilliseconds: 500), for: .finishTransaction)
    }
    session.presenter.answer("payment", .approve())
    let page = try await session.loadedPage()
    try await page.call("purchase", ["productIdentifier": "coins"])
    _ = await page.states(2)
    try await page.call("finishTransaction", ["id": id(page)])
    session.launch()
    #expect(try await session.page().transactions().isEmpty)
  }

  @Test func `a payment that an earlier launch sent completes in the next one`() async throws {
    let session = TestSession(account: "de") { try? $0.set(OnsideCallBehaviour(delayMilliseconds: 500), for: .payment) }
    session.presenter.answer("payment", .approve())
    let page = try await session.loadedPage()
    try await page.call("purchase", ["productIdentifier": "coins"])
    while session.clock.sleeperCount == 0 { await Task.yield() }
    session.launch()
    let next = session.page()
    while session.clock.sleeperCount < 1 { await Task.yield() }
    session.clock.advance(by: .seconds(1))
    #expect(await next.states(2) == ["purchasing", "purchased"])
    #expect(session.onside.state.ledger.purchases.count == 1)
  }
}

import BridgeRuntime
import Testing

@testable import OnsideKit

/// What becomes of a launch that ended under its pages, and of changes that could not be stored.
@BridgeActor
struct DurabilityTests {
  @Test func `products loaded in a former launch can be bought after continueFormerLaunch only`() async throws {
    let session = TestSession(account: "de") { $0.disableDialogs = true }
    _ = try await session.loadedPage()
    session.launch()
    let page = session.page()
    await #expect(throws: TestPage.Rejection(code: "unknownProduct")) {
      try await page.call("purchase", ["productIdentifier": "coins"])
    }
    session.onside.continueFormerLaunch()
    try await page.call("purchase", ["productIdentifier": "coins"])
    #expect(await page.states(2) == ["purchasing", "purchased"])
  }

  @Test func `settings that pages make in a launch are restored after any number of launches`() async throws {
    let session = TestSession(account: "de")
    let page = try await session.loadedPage()
    try await page.call("setAppearance", ["theme": "dark"])
    session.launch()
    session.launch()
    #expect(session.onside.appearance == .auto)
    session.onside.continueFormerLaunch()
    #expect(session.onside.appearance == .dark)
  }

  @Test func `a restore that a launch left open finishes in the next one`() async throws {
    let session = TestSession(account: "de") {
      try? $0.set(OnsideCallBehaviour(delayMilliseconds: 1000), for: .restore)
    }
    let page = session.page()
    try await page.call("restoreCompletedTransactions")
    session.launch()
    let later = session.page()
    session.onside.continueFormerLaunch()
    while session.clock.sleeperCount == 0 { await Task.yield() }
    session.clock.advance(by: .seconds(1))
    await later.callback("onRestoreCompletedTransactionsFinished")
    #expect(session.onside.state.launch.restores == [])
  }

  @Test func `a removal that was due when the launch ended is reported in the next one`() async throws {
    let session = TestSession(account: "de") {
      $0.disableDialogs = true
      try? $0.set(OnsideCallBehaviour(delayMilliseconds: 1000), for: .finishTransaction)
    }
    let page = try await session.loadedPage()
    try await page.call("purchase", ["productIdentifier": "coins"])
    #expect(await page.states(2) == ["purchasing", "purchased"])
    let id = try #require(try await page.transactions().first?["id"]?.stringValue)
    try await page.call("finishTransaction", ["id": .string(id)])
    session.launch()
    let later = session.page()
    session.onside.continueFormerLaunch()
    let removed = await later.callback("onTransactionsRemoved")
    #expect(removed["transactions"]?.arrayValue?.compactMap { $0["id"]?.stringValue } == [id])
    #expect(try await later.transactions() == [])
  }

  @Test func `a rollback restores the queue and pauses it`() async throws {
    let session = TestSession(account: "de") { $0.disableDialogs = true }
    let page = try await session.loadedPage()
    try await page.call("purchase", ["productIdentifier": "coins"])
    #expect(await page.states(2) == ["purchasing", "purchased"])
    let stored = session.onside.state
    let before = try await page.transactions()
    try await page.call("purchase", ["productIdentifier": "pass"])
    #expect(await page.states(4).count == 4)
    session.onside.rollBack(to: stored)
    #expect(try await page.transactions() == before)
    #expect(session.onside.state == stored)
    #expect(session.onside.ledger.purchases.count == 1)
    try await page.call("purchase", ["productIdentifier": "pass"])
    #expect(page.states.count == 4)
    session.onside.goOn()
    #expect(await page.states(6).suffix(2) == ["purchasing", "purchased"])
  }

  @Test func `a payment whose completion was rolled back completes again under the same order`() async throws {
    let session = TestSession(account: "de") {
      $0.disableDialogs = true
      try? $0.set(OnsideCallBehaviour(delayMilliseconds: 1000), for: .payment)
    }
    let page = try await session.loadedPage()
    try await page.call("purchase", ["productIdentifier": "coins"])
    while session.clock.sleeperCount == 0 { await Task.yield() }
    let paying = session.onside.state
    session.clock.advance(by: .seconds(1))
    _ = await page.states(2)
    let order = try #require(session.onside.ledger.purchases.first?.id)
    session.onside.rollBack(to: paying)
    #expect(session.onside.ledger.purchases.isEmpty)
    session.onside.goOn()
    while session.clock.sleeperCount == 0 { await Task.yield() }
    session.clock.advance(by: .seconds(1))
    _ = await page.states(3)
    #expect(session.onside.ledger.purchases.map(\.id) == [order])
  }

  @Test func `a payment whose removal was rolled back shows its sheet again`() async throws {
    let session = TestSession(account: "de")
    let page = try await session.loadedPage()
    try await page.call("purchase", ["productIdentifier": "coins"])
    _ = await session.presenter.sheet("payment")
    let stored = session.onside.state
    let id = try #require(try await page.transactions().first?["id"])
    try await page.call("finishTransaction", ["id": id])
    await session.changes.until { session.presenter.open.isEmpty }
    session.onside.rollBack(to: stored)
    session.onside.goOn()
    session.presenter.answer(await session.presenter.sheet("payment"), .approve())
    #expect(await page.states(2) == ["purchasing", "purchased"])
  }

  @Test func `a finished transaction whose removal was rolled back is removed again`() async throws {
    let session = TestSession(account: "de") {
      $0.disableDialogs = true
      try? $0.set(OnsideCallBehaviour(delayMilliseconds: 1000), for: .finishTransaction)
    }
    let page = try await session.loadedPage()
    try await page.call("purchase", ["productIdentifier": "coins"])
    _ = await page.states(2)
    let id = try #require(try await page.transactions().first?["id"])
    let call = page.start("finishTransaction", ["id": id])
    while session.clock.sleeperCount == 0 { await Task.yield() }
    let stored = session.onside.state
    session.clock.advance(by: .seconds(1))
    _ = try await page.result(of: call)
    await page.callback("onTransactionsRemoved")
    session.onside.rollBack(to: stored)
    #expect(session.onside.defaultPaymentQueue().transactions.count == 1)
    session.onside.goOn()
    await page.callback("onTransactionsRemoved", count: 2)
    #expect(session.onside.defaultPaymentQueue().transactions.isEmpty)
  }

  @Test func `a rollback undoes a login`() async throws {
    let session = TestSession()
    let stored = session.onside.state
    session.onside.signIn(account: "de")
    session.onside.rollBack(to: stored)
    #expect(session.onside.account == nil)
    #expect(session.onside.defaultPaymentQueue().storefront == nil)
  }
}

import BridgeCore
import BridgeRuntime
import Testing

@testable import OnsideKit

@BridgeActor
struct OutcomeTests {
  /// A session whose next payments or restores come out as `outcomes` say.
  private func session(_ outcomes: [OnsideOutcome], change: (inout OnsideSettings) -> Void = { _ in }) -> TestSession {
    let session = TestSession(account: "de", change: change)
    var outcomes = outcomes
    session.onside.decideOutcome = { _, _ in outcomes.isEmpty ? nil : outcomes.removeFirst() }
    return session
  }

  @Test(arguments: OnsidePaymentTransactionError.allCases)
  func `a payment with a decided error fails once, without a sheet`(error: OnsidePaymentTransactionError)
    async throws
  {
    let session = session([OnsideOutcome(error: error.rawValue)])
    let page = try await session.loadedPage()
    try await page.call("purchase", ["productIdentifier": "coins"])
    #expect(await page.states(2) == ["purchasing", "failed"])
    #expect(try await page.transactions().first?["error"] == .object([error.rawValue: [:]]))
    #expect(session.presenter.presented.isEmpty)
    try await page.call("purchase", ["productIdentifier": "coins"])
    session.presenter.answer(await session.presenter.sheet("payment"), .approve())
    #expect(await page.states(4).last == "purchased")
  }

  @Test func `a held payment stays purchasing with its order sent, until it is released`() async throws {
    let gate = AsyncStream.makeStream(of: Void.self)
    let arrival = AsyncStream.makeStream(of: Void.self)
    let session = session([
      OnsideOutcome {
        arrival.continuation.yield()
        for await _ in gate.stream { break }
      }
    ])
    session.presenter.answer("payment", .approve())
    let page = try await session.loadedPage()
    try await page.call("purchase", ["productIdentifier": "coins"])
    for await _ in arrival.stream { break }
    #expect(page.states == ["purchasing"])
    #expect(try await page.transactions().first?["transactionIdentifier"] != nil)
    gate.continuation.yield()
    #expect(await page.states(2) == ["purchasing", "purchased"])
  }

  @Test func `decideOutcome is called once for a payment, with its product`() async throws {
    let session = TestSession(account: "de") { $0.askToBuyEnabled = true }
    var calls: [(OnsideCall, [String: JSONValue])] = []
    session.onside.decideOutcome = {
      calls.append(($0, $1))
      return nil
    }
    session.presenter.answer("payment", .approve())
    let page = try await session.loadedPage()
    try await page.call("purchase", ["productIdentifier": "coins", "appAccountToken": "t"])
    let queue = session.onside.defaultPaymentQueue()
    await session.changes.until { session.presenter.open.isEmpty && !session.presenter.presented.isEmpty }
    while queue.transactionsAwaitingApproval.isEmpty { await Task.yield() }
    let id = try #require(queue.transactionsAwaitingApproval.first?.id)
    queue.approve(id)
    _ = await page.states(2)
    #expect(calls.map(\.0) == [.payment])
    #expect(calls.first?.1 == ["productIdentifier": "coins", "transaction": .string(id.text), "appAccountToken": "t"])
  }

  @Test(arguments: OnsideTransactionsRestoreError.allCases)
  func `a restore with a decided error fails by its callback`(error: OnsideTransactionsRestoreError) async throws {
    let session = session([OnsideOutcome(error: error.rawValue)])
    let page = session.page()
    try await page.call("restoreCompletedTransactions")
    #expect(
      await page.callback("onRestoreCompletedTransactionsFailedWithError") == ["error": .object([error.rawValue: [:]])])
    try await page.call("restoreCompletedTransactions")
    await page.callback("onRestoreCompletedTransactionsFinished")
  }
}

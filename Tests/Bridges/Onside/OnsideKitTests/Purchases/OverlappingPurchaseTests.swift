import BridgeCore
import BridgeRuntime
import Testing

@testable import OnsideKit

/// Purchases of the same thing that are under way at once: what each comes to is known when its payment goes through.
@BridgeActor
struct OverlappingPurchaseTests {
  /// A session in which these were bought, each of which is interrupted; with the ids of their transactions.
  private func interrupted(_ products: [JSONValue]) async throws -> (TestSession, TestPage, [UUID]) {
    let session = TestSession(account: "de") {
      $0.interruptedPurchasesEnabled = true
      $0.disableDialogs = true
    }
    let page = try await session.loadedPage()
    for product in products { try await page.call("purchase", ["productIdentifier": product]) }
    let queue = session.onside.defaultPaymentQueue()
    while queue.interruptedTransactions.count < products.count { await Task.yield() }
    return (session, page, queue.interruptedTransactions.map(\.id))
  }

  @Test func `of two interrupted purchases of a non-consumable one is charged, and both have its order`() async throws {
    let (session, page, ids) = try await interrupted(["sticker", "sticker"])
    let queue = session.onside.defaultPaymentQueue()
    for id in ids { #expect(queue.resolveInterruption(of: id)) }
    #expect(await page.states(4).suffix(2) == ["purchased", "purchased"])
    let orders = session.onside.ledger.purchases.map(\.id)
    #expect(orders.count == 1)
    #expect(queue.transactions.map(\.transactionIdentifier) == [orders.first, orders.first])
  }

  @Test func `of two payments for a non-consumable that are approved at once one is charged`() async throws {
    let session = TestSession(account: "de") {
      $0.askToBuyEnabled = true
      $0.disableDialogs = true
    }
    let page = try await session.loadedPage()
    for _ in 0..<2 { try await page.call("purchase", ["productIdentifier": "sticker"]) }
    let queue = session.onside.defaultPaymentQueue()
    while queue.transactionsAwaitingApproval.count < 2 { await Task.yield() }
    for transaction in queue.transactions { #expect(queue.approve(transaction.id)) }
    #expect(await page.states(4).suffix(2) == ["purchased", "purchased"])
    #expect(session.onside.ledger.purchases.count == 1)
  }

  @Test func `of two interrupted purchases of a subscription one is charged`() async throws {
    let (session, page, ids) = try await interrupted(["silver", "silver"])
    for id in ids { session.onside.defaultPaymentQueue().resolveInterruption(of: id) }
    #expect(await page.states(4).suffix(2) == ["purchased", "purchased"])
    #expect(session.onside.ledger.purchases.count == 1)
  }

  @Test func `interrupted purchases of consumables are all charged`() async throws {
    let (session, page, ids) = try await interrupted(["coins", "coins"])
    for id in ids { session.onside.defaultPaymentQueue().resolveInterruption(of: id) }
    #expect(await page.states(4).suffix(2) == ["purchased", "purchased"])
    #expect(session.onside.ledger.purchases.count == 2)
  }

  @Test func `an interrupted purchase is charged if the owned order is refunded before it resumes`()
    async throws
  {
    let (session, page, ids) = try await interrupted(["sticker"])
    let queue = session.onside.defaultPaymentQueue()
    queue.resolveInterruption(of: ids[0])
    _ = await page.states(2)
    try await page.call("purchase", ["productIdentifier": "sticker"])
    while queue.interruptedTransactions.isEmpty { await Task.yield() }
    let first = try #require(session.onside.ledger.purchases.first?.id)
    session.onside.refund(order: first)
    queue.resolveInterruption(of: try #require(queue.interruptedTransactions.first?.id))
    #expect(await page.states(4).last == "purchased")
    #expect(session.onside.ledger.purchases.count == 2)
    #expect(queue.transactions.last?.transactionIdentifier == session.onside.ledger.purchases.last?.id)
  }

  @Test func `an interrupted downgrade that resumes after a renewal starts at the next one`() async throws {
    let (session, page, ids) = try await interrupted(["gold"])
    let queue = session.onside.defaultPaymentQueue()
    session.onside.settings.timeRate = .oneRenewalEveryTenSeconds
    queue.resolveInterruption(of: ids[0])
    _ = await page.states(2)
    try await page.call("purchase", ["productIdentifier": "silver"])
    while queue.interruptedTransactions.isEmpty { await Task.yield() }
    session.clock.advance(by: .seconds(10))
    queue.resolveInterruption(of: try #require(queue.interruptedTransactions.first?.id))
    #expect(await page.states(4).last == "purchased")
    session.clock.advance(by: .seconds(10))
    #expect(session.onside.ledger.purchases.map(\.productIdentifier) == ["gold", "gold", "silver"])
  }
}

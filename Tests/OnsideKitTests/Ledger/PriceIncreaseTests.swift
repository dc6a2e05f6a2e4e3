import BridgeCore
import BridgeRuntime
import Testing

@testable import OnsideKit

@BridgeActor
struct PriceIncreaseTests {
  private let session = TestSession(account: "de") { $0.timeRate = .oneRenewalEveryTenSeconds }
  private let order: OnsidePurchase
  private let price = OnsidePrice(value: 12, currencyCode: "EUR")

  init() throws {
    order = try #require(
      session.onside.seedPurchase(of: "silver", account: "de", purchasedAt: session.clock.now, isFinished: true))
  }

  private var subscription: OnsideSubscription? { session.onside.ledger.subscriptions.first }
  private var prices: [String] { session.onside.ledger.purchases.map(\.price.value.description) }
  private var status: OnsidePriceIncrease.Status? { subscription?.priceIncrease?.status }

  /// What the publisher's backend hears of what `body` does.
  private func changes(_ body: () -> Void) -> [String] {
    let former = session.onside.state.ledger
    body()
    return session.onside.ledger.changes(since: former, grace: { _ in 0 }).map {
      [$0.kind.rawValue, $0.subtype].compactMap { $0 }.joined(separator: "/")
    }
  }

  private func pass(_ seconds: Int) { session.clock.advance(by: .seconds(seconds)) }

  @Test func `after consent it renews at the new price, again and again`() async throws {
    #expect(changes { session.onside.requestPriceIncrease(order: order.id, to: price) } == ["PRICE_INCREASE/PENDING"])
    let sheet = await session.presenter.sheet("priceIncrease")
    #expect(sheet.content["oldPrice"] == ["value": 10, "currencyCode": "EUR"])
    #expect(sheet.content["newPrice"] == ["value": 12, "currencyCode": "EUR"])
    #expect(sheet.content["renewsAt"]?.numberValue == order.expiresAt)
    session.presenter.answer(sheet, .approve())
    await session.changes.until { status == .agreed }
    pass(25)
    #expect(prices == ["10", "12", "12"])
    #expect(session.onside.renewalPrice(order: order.id) == price)
  }

  @Test func `an answer counts for the next thing that is asked of the store`() async throws {
    session.onside.requestPriceIncrease(order: order.id, to: price)
    session.presenter.answer(await session.presenter.sheet("priceIncrease"), .approve())
    // The next job of the store's thread, as the next request of a test is one.
    let next = await withCheckedContinuation { continuation in
      BridgeActor.begin { continuation.resume(returning: status) }
    }
    #expect(next == .agreed)
  }

  @Test func `who declines has no renewal, and it ends for that reason`() async throws {
    session.onside.requestPriceIncrease(order: order.id, to: price)
    let sheet = await session.presenter.sheet("priceIncrease")
    session.presenter.answer(sheet, .cancel)
    await session.changes.until { status == .declined }
    #expect(subscription?.renewsAutomatically == false)
    #expect(changes { pass(10) } == ["EXPIRED/PRICE_INCREASE"])
    #expect(prices == ["10"])
  }

  @Test func `without an answer it ends with its period`() {
    session.onside.requestPriceIncrease(order: order.id, to: price)
    #expect(changes { pass(10) } == ["EXPIRED/PRICE_INCREASE"])
    #expect(!session.onside.consentToPriceIncrease(order: order.id))
  }

  @Test func `a test can answer, and the sheet goes away`() async throws {
    #expect(!session.onside.consentToPriceIncrease(order: order.id))
    session.onside.requestPriceIncrease(order: order.id, to: price)
    let sheet = await session.presenter.sheet("priceIncrease")
    #expect(changes { session.onside.consentToPriceIncrease(order: order.id) } == ["PRICE_INCREASE/ACCEPTED"])
    await session.changes.until { !session.presenter.open.contains { $0.id == sheet.id } }
    #expect(!session.onside.declinePriceIncrease(order: order.id))
    #expect(status == .agreed)
  }

  @Test func `the next launch asks again, and a signed-out account is not asked`() async throws {
    session.onside.requestPriceIncrease(order: order.id, to: price)
    let sheet = await session.presenter.sheet("priceIncrease")
    session.onside.logout()
    await session.changes.until { !session.presenter.open.contains { $0.id == sheet.id } }
    #expect(status == .pending)
    session.launch()
    session.onside.signIn(account: "de")
    let again = await session.presenter.sheet("priceIncrease")
    #expect(again.id != sheet.id)
  }

  @Test func `a subscription that does not renew has no increase, and one that renews again has the new price`() {
    session.onside.requestPriceIncrease(order: order.id, to: price)
    session.onside.declinePriceIncrease(order: order.id)
    #expect(!session.onside.requestPriceIncrease(order: order.id, to: price))
    var ledger = session.onside.ledger
    ledger.resume(orderID: order.id)
    #expect(ledger.subscriptions.first?.priceIncrease?.status == .agreed)
  }

  @Test func `another product ends the increase`() {
    session.onside.requestPriceIncrease(order: order.id, to: price)
    session.onside.consentToPriceIncrease(order: order.id)
    var ledger = session.onside.ledger
    ledger.changeAtRenewal(orderID: order.id, to: "gold")
    session.onside.launch.state.ledger = ledger
    pass(10)
    #expect(session.onside.ledger.purchases.last?.productIdentifier == "gold")
    #expect(subscription?.priceIncrease == nil)
  }

  @Test func `a change to a lower product closes the sheet, and goes on`() async throws {
    session.onside.requestPriceIncrease(order: order.id, to: price)
    let sheet = await session.presenter.sheet("priceIncrease")
    #expect(
      changes { session.onside.launch.state.ledger.changeAtRenewal(orderID: order.id, to: "gold") }
        == ["DID_CHANGE_RENEWAL_PREF/DOWNGRADE"])
    #expect(subscription?.priceIncrease == nil)
    await session.changes.until { !session.presenter.open.contains { $0.id == sheet.id } }
    #expect(subscription?.renewsAutomatically == true)
    // The product with this price does not renew.
    #expect(!session.onside.requestPriceIncrease(order: order.id, to: price))
  }

  @Test func `who has it renew after having declined consents`() {
    session.onside.requestPriceIncrease(order: order.id, to: price)
    session.onside.declinePriceIncrease(order: order.id)
    #expect(
      changes { session.onside.resumeSubscription(order: order.id) } == [
        "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED", "PRICE_INCREASE/ACCEPTED",
      ])
    pass(10)
    #expect(prices == ["10", "12"])
  }

  @Test func `a subscription that renews anyway keeps a pending increase`() {
    session.onside.requestPriceIncrease(order: order.id, to: price)
    session.onside.resumeSubscription(order: order.id)
    #expect(status == .pending)
  }
}

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

  @Test func `after consent a subscription renews at the new price every time`() async throws {
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

  @Test func `an answer to a price increase applies to the next request`() async throws {
    session.onside.requestPriceIncrease(order: order.id, to: price)
    session.presenter.answer(await session.presenter.sheet("priceIncrease"), .approve())
    // The next job of the store's thread, as the next request of a test is one.
    let next = await withCheckedContinuation { continuation in
      BridgeActor.begin { continuation.resume(returning: status) }
    }
    #expect(next == .agreed)
  }

  @Test func `declining a price increase ends the subscription for that reason`() async throws {
    session.onside.requestPriceIncrease(order: order.id, to: price)
    let sheet = await session.presenter.sheet("priceIncrease")
    session.presenter.answer(sheet, .cancel)
    await session.changes.until { status == .declined }
    #expect(subscription?.renewsAutomatically == false)
    #expect(changes { pass(10) } == ["EXPIRED/PRICE_INCREASE"])
    #expect(prices == ["10"])
  }

  @Test func `a price increase without an answer ends the subscription with its period`() {
    session.onside.requestPriceIncrease(order: order.id, to: price)
    #expect(changes { pass(10) } == ["EXPIRED/PRICE_INCREASE"])
    #expect(!session.onside.consentToPriceIncrease(order: order.id))
  }

  @Test func `consentToPriceIncrease accepts the increase and dismisses the sheet`() async throws {
    #expect(!session.onside.consentToPriceIncrease(order: order.id))
    session.onside.requestPriceIncrease(order: order.id, to: price)
    let sheet = await session.presenter.sheet("priceIncrease")
    #expect(changes { session.onside.consentToPriceIncrease(order: order.id) } == ["PRICE_INCREASE/ACCEPTED"])
    await session.changes.until { !session.presenter.open.contains { $0.id == sheet.id } }
    #expect(!session.onside.declinePriceIncrease(order: order.id))
    #expect(status == .agreed)
  }

  @Test func `a pending price increase is asked again at the next launch, but not while signed out`() async throws {
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

  @Test func `a price increase is refused for a cancelled subscription, and accepted by resuming it`() {
    session.onside.requestPriceIncrease(order: order.id, to: price)
    session.onside.declinePriceIncrease(order: order.id)
    #expect(!session.onside.requestPriceIncrease(order: order.id, to: price))
    var ledger = session.onside.ledger
    ledger.resume(orderID: order.id, at: price)
    #expect(ledger.subscriptions.first?.priceIncrease?.status == .agreed)
  }

  @Test func `a person who resumes at the old price is asked about the increase again`() async throws {
    session.onside.requestPriceIncrease(order: order.id, to: price)
    session.onside.declinePriceIncrease(order: order.id)
    let old = OnsidePrice(value: 10, currencyCode: "EUR")
    session.onside.launch.changeLedger { $0.resume(orderID: order.id, at: old) }
    #expect(status == .pending && subscription?.renewsAutomatically == true)
    session.presenter.answer(await session.presenter.sheet("priceIncrease"), .approve())
    await session.changes.until { status == .agreed }
  }

  // MARK: While a renewal is tried again

  /// The renewal fails, and then the price rises.
  private func failRenewal() {
    session.onside.settings.renewalBillingIssuesEnabled = true
    pass(11)
    #expect(subscription?.isInBillingRetry == true)
    #expect(session.onside.requestPriceIncrease(order: order.id, to: price))
  }

  @Test func `a price increase during the billing retry ends nothing: the renewal that has failed costs the old price`()
  {
    failRenewal()
    pass(1)
    #expect(subscription?.isInBillingRetry == true)
    #expect(status == .pending)
    session.onside.settings.renewalBillingIssuesEnabled = false
    #expect(prices == ["10", "10"])
    #expect(status == .pending)
    #expect(changes { pass(11) } == ["EXPIRED/PRICE_INCREASE"])
  }

  @Test func `consent during the billing retry applies to the renewal that has failed`() {
    failRenewal()
    #expect(session.onside.consentToPriceIncrease(order: order.id))
    session.onside.settings.renewalBillingIssuesEnabled = false
    #expect(prices == ["10", "12"])
  }

  @Test func `declining during the billing retry ends the subscription for that reason`() {
    failRenewal()
    var ledger = session.onside.ledger
    _ = ledger.answerPriceIncrease(order.id, consents: false)
    let declined = ledger
    _ = ledger.takeStep(at: session.onside.launch.now, terms: session.onside.launch.terms)
    #expect(ledger.changes(since: declined, grace: { _ in 0 }).map(\.subtype) == ["PRICE_INCREASE"])
    session.onside.declinePriceIncrease(order: order.id)
    #expect(subscription == nil)
  }

  @Test func `a billing retry that ends while an increase waits for consent ends for that reason`() {
    failRenewal()
    #expect(changes { pass(20) } == ["EXPIRED/BILLING_RETRY"])
  }

  @Test func `until there is consent to a second increase, the price of the first one applies`() {
    session.onside.requestPriceIncrease(order: order.id, to: OnsidePrice(value: 11, currencyCode: "EUR"))
    session.onside.consentToPriceIncrease(order: order.id)
    failRenewal()
    #expect(session.onside.renewalPrice(order: order.id)?.value == 11)
    session.onside.settings.renewalBillingIssuesEnabled = false
    #expect(prices == ["10", "11"])
  }

  @Test func `a period that ends while the sheet is open ends the subscription, and the answer is void`() async throws {
    session.onside.requestPriceIncrease(order: order.id, to: price)
    let sheet = await session.presenter.sheet("priceIncrease")
    pass(25)
    session.presenter.answer(sheet, .approve())
    await session.changes.until { session.stored?.ledger.subscriptions.isEmpty == true }
    #expect(prices == ["10"])
  }

  @Test func `a period that ends closes the sheet, although nobody looks`() async throws {
    session.onside.requestPriceIncrease(order: order.id, to: price)
    _ = await session.presenter.sheet("priceIncrease")
    pass(10)
    await session.changes.until { session.presenter.open.isEmpty }
    #expect(session.stored?.ledger.subscriptions.isEmpty == true)
  }

  @Test func `another increase replaces the sheet, and the earlier sheet decides nothing`() async throws {
    session.onside.requestPriceIncrease(order: order.id, to: price)
    let first = await session.presenter.sheet("priceIncrease")
    session.onside.requestPriceIncrease(order: order.id, to: OnsidePrice(value: 99, currencyCode: "EUR"))
    session.presenter.answer(first, .approve())
    let second = await session.presenter.sheet("priceIncrease")
    #expect(second.content["newPrice"] == ["value": 99, "currencyCode": "EUR"])
    #expect(status == .pending)
  }

  @Test func `during an offer, the increase and its sheet wait for the end of the offer`() async throws {
    let gold = try #require(
      session.onside.seedPurchase(of: "gold", account: "es", purchasedAt: session.clock.now, isFinished: true))
    session.onside.signIn(account: "es")
    session.onside.requestPriceIncrease(order: gold.id, to: OnsidePrice(value: 30, currencyCode: "EUR"))
    let sheet = await session.presenter.sheet("priceIncrease")
    #expect(sheet.content["renewsAt"]?.numberValue == gold.purchasedAt + 20_000)
    func goldPrices() -> [String] {
      session.onside.ledger.purchases.filter { $0.productIdentifier == "gold" }.map(\.price.value.description)
    }
    pass(15)
    #expect(goldPrices() == ["1", "1"])
    #expect(session.presenter.open.map(\.id) == [sheet.id])
    session.presenter.answer(sheet, .approve())
    await session.changes.until {
      session.onside.ledger.subscriptions.contains { $0.priceIncrease?.status == .agreed }
    }
    pass(10)
    #expect(goldPrices() == ["1", "1", "30"])
  }

  @Test func `a renewal with another product drops the price increase`() {
    session.onside.requestPriceIncrease(order: order.id, to: price)
    session.onside.consentToPriceIncrease(order: order.id)
    var ledger = session.onside.ledger
    ledger.changeAtRenewal(orderID: order.id, to: "gold")
    session.onside.launch.state.ledger = ledger
    pass(10)
    #expect(session.onside.ledger.purchases.last?.productIdentifier == "gold")
    #expect(subscription?.priceIncrease == nil)
  }

  @Test func `a downgrade drops the price increase and dismisses its sheet`() async throws {
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

  @Test func `resuming a subscription after declining consents to the price increase`() {
    session.onside.requestPriceIncrease(order: order.id, to: price)
    session.onside.declinePriceIncrease(order: order.id)
    #expect(
      changes { session.onside.resumeSubscription(order: order.id) } == [
        "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED", "PRICE_INCREASE/ACCEPTED",
      ])
    pass(10)
    #expect(prices == ["10", "12"])
  }

  @Test func `resuming a subscription that renews leaves the price increase pending`() {
    session.onside.requestPriceIncrease(order: order.id, to: price)
    session.onside.resumeSubscription(order: order.id)
    #expect(status == .pending)
  }
}

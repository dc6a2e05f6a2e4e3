import BridgeCore
import BridgeRuntime
import Testing

@testable import OnsideKit

/// What a test can do to the store, as with StoreKit Test. A month takes ten seconds.
@BridgeActor
struct StoreControlTests {
  private let session = TestSession(account: "de") {
    $0.disableDialogs = true
    $0.timeRate = .oneRenewalEveryTenSeconds
  }

  private var onside: Onside { session.onside }
  private var orders: SharedList<OnsidePurchase> { onside.ledger.purchases }

  @discardableResult
  private func add(_ product: String, offer: String? = nil, isFinished: Bool = true) throws -> OnsidePurchase {
    if let offer { try onside.checkOffer(offer, of: product, account: "de") }
    return try #require(
      onside.seedPurchase(
        of: product, account: "de", purchasedAt: session.clock.now, isFinished: isFinished, offerID: offer))
  }

  @Test func `a subscription that was cancelled can renew again`() throws {
    let order = try add("silver")
    #expect(onside.cancelSubscription(order: order.id) && onside.resumeSubscription(order: order.id))
    session.clock.advance(by: .seconds(10))
    #expect(orders.count == 2 && onside.ledger.subscriptions.first?.renewsAutomatically == true)
    onside.expireSubscription(order: order.id)
    #expect(!onside.resumeSubscription(order: order.id))
  }

  @Test func `a renewal on demand that is impossible changes nothing`() throws {
    let order = try add("silver")
    session.clock.advance(by: .seconds(4))
    onside.settings.renewalBillingIssuesEnabled = true
    func isRefused() -> Bool {
      let former = onside.ledger
      return !onside.renewSubscription(order: order.id) && onside.ledger == former
    }
    #expect(isRefused())
    onside.settings.renewalBillingIssuesEnabled = false
    onside.requestPriceIncrease(order: order.id, to: OnsidePrice(value: 12, currencyCode: "EUR"))
    #expect(isRefused())
    onside.consentToPriceIncrease(order: order.id)
    #expect(onside.renewSubscription(order: order.id))
    #expect(orders.map(\.price.value.description) == ["10", "12"])
    #expect(orders[1].purchasedAt == session.clock.now.millisecondsSinceEpoch)
    #expect(orders[0].expiresAt == orders[1].purchasedAt)
  }

  @Test func `a subscription that is no longer sold is not renewed on demand`() throws {
    let order = try add("silver")
    var configuration = session.configuration
    configuration.regionalTerms["silver"] = ["DE": OnsideRegionalTerms(isAvailable: false)]
    let onside = Onside(
      configuration: Shared(wrappedValue: configuration), state: session.stored, clock: session.clock,
      random: BridgeRandom(), presenter: session.presenter)
    #expect(!onside.renewSubscription(order: order.id))
    #expect(onside.ledger.subscriptions.count == 1)
  }

  @Test func `a deleted order leaves no purchase, transaction, subscription or used offer`() async throws {
    let page = session.page()
    let sticker = try add("sticker", isFinished: false)
    let silver = try add("silver")
    _ = await page.states(1)
    #expect(onside.deletePurchase(order: sticker.id) && !onside.deletePurchase(order: sticker.id))
    #expect(orders.map(\.id) == [silver.id] && onside.defaultPaymentQueue().transactions.isEmpty)
    _ = await page.callback("onTransactionsRemoved")
    #expect(onside.deletePurchase(order: silver.id) && onside.ledger.subscriptions.isEmpty)
    // A new subscriber again.
    #expect(onside.ledger.isEligibleForIntroductoryPrice("de", group: "club"))
  }

  @Test func `a failed payment outlives the order that would have made it free`() async throws {
    let page = try await session.loadedPage()
    let sticker = try add("sticker")
    onside.settings.failTransactionsEnabled = true
    try await page.call("purchase", ["productIdentifier": "sticker"])
    #expect(await page.states(2).last == "failed")
    #expect(onside.deletePurchase(order: sticker.id) && orders.isEmpty)
    #expect(onside.defaultPaymentQueue().transactions.map(\.transactionState) == [.failed])
  }

  @Test func `deleting an order reports no change`() throws {
    let order = try add("silver")
    session.clock.advance(by: .seconds(10))
    let former = onside.ledger
    let current = try #require(former.subscriptions.first?.orderID)
    #expect(current != order.id && onside.deletePurchase(order: current))
    #expect(onside.ledger.changes(since: former, grace: { _ in 0 }).isEmpty)
  }

  @Test func `clearing removes orders, subscriptions and transactions, and nothing else`() async throws {
    let page = session.page()
    try add("silver")
    try add("coins", isFinished: false)
    _ = onside.seedTransaction(of: "pass", account: "de", .awaitingApproval)
    _ = await page.states(2)
    onside.clearTransactions()
    #expect(onside.ledger == OnsideLedger() && onside.defaultPaymentQueue().transactions.isEmpty)
    #expect(onside.account?.id == "de" && onside.settings.disableDialogs)
    #expect(try await page.transactions().isEmpty)
  }

  @Test func `promotional offers require a subscriber, and win-back offers a former one`() throws {
    func refusal(_ offer: String, _ product: String = "silver") -> OnsideOfferError? {
      do throws(OnsideOfferError) {
        try onside.checkOffer(offer, of: product, account: "de")
        return nil
      } catch {
        return error
      }
    }
    #expect(refusal("loyal") == .forSubscribers("loyal") && refusal("back") == .forSubscribers("back"))
    #expect(refusal("none") == .unknown("none", product: "silver", known: ["loyal", "back"]))
    #expect(refusal("loyal", "coins") == .unknown("loyal", product: "coins", known: []))
    let order = try add("gold")
    #expect(refusal("loyal") == nil && refusal("back") == .forFormerSubscribers("back"))
    onside.expireSubscription(order: order.id)
    #expect(refusal("loyal") == nil && refusal("back") == nil)
  }

  @Test func `an account pays the price of its offer for as long as the offer lasts`() throws {
    onside.expireSubscription(order: try add("gold").id)
    try add("silver", offer: "loyal")
    #expect(onside.ledger.subscriptions.first?.offerID == "loyal")
    session.clock.advance(by: .seconds(25))
    let prices = orders.filter { $0.productIdentifier == "silver" }.map(\.price.value.description)
    #expect(prices == ["4", "4", "10"])
    let current = try #require(onside.ledger.subscriptions.first?.orderID)
    onside.expireSubscription(order: current)
    let free = try add("silver", offer: "back")
    // Three periods without a payment are one order.
    #expect(free.price.value == 0 && free.expiresAt == free.purchasedAt + 30000)
  }
}

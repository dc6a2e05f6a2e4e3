import BridgeCore
import BridgeRuntime
import Foundation
import Testing

@testable import OnsideKit

@BridgeActor
struct SubscriptionTests {
  private let session: TestSession
  private let page: TestPage

  init() async throws {
    session = TestSession(account: "de") {
      $0.disableDialogs = true
      $0.timeRate = .oneRenewalEveryTenSeconds
    }
    page = try await session.loadedPage()
  }

  /// Buys a product and returns the transaction.
  @discardableResult
  private func buy(_ product: JSONValue) async throws -> JSONValue {
    try await page.call("purchase", ["productIdentifier": product])
    _ = await page.states(page.states.count + 1)
    await session.changes.until { page.states.last == "purchased" }
    return try #require(try await page.transactions().last)
  }

  private var orders: SharedList<OnsidePurchase> { session.onside.ledger.purchases }
  private var prices: [String] { orders.map(\.price.value.description) }
  private var products: [String] { orders.map(\.productIdentifier) }

  @Test func `a subscription renews on the session's clock until it is cancelled, and then lapses`() async throws {
    try await buy("silver")
    session.clock.advance(by: .seconds(35))
    #expect(orders.map(\.reason) == [.purchase, .renewal, .renewal, .renewal])
    #expect(orders.map { ($0.expiresAt ?? 0) - orders[0].purchasedAt } == [10000, 20000, 30000, 40000])
    #expect(session.onside.cancelSubscription(order: orders[0].id))
    session.clock.advance(by: .seconds(4))
    #expect(session.onside.ledger.subscriptions.count == 1)
    session.clock.advance(by: .seconds(60))
    #expect(orders.count == 4)
    #expect(session.onside.ledger.subscriptions.isEmpty)
    #expect(!session.onside.cancelSubscription(order: orders[0].id))
  }

  @Test func `a renewal makes an order and no transaction`() async throws {
    try await buy("silver")
    session.clock.advance(by: .seconds(35))
    _ = session.onside.ledger
    #expect(page.states == ["purchasing", "purchased"])
  }

  @Test func `a new subscriber pays the introductory price for as many periods as the offer has, once per group`()
    async throws
  {
    session.onside.settings.disableDialogs = false
    try await page.call("purchase", ["productIdentifier": "gold"])
    let sheet = await session.presenter.sheet("payment")
    #expect(sheet.content["price"] == ["value": 1, "currencyCode": "EUR"])
    #expect(
      sheet.content["offer"] == [
        "paymentMode": "payAsYouGo", "numberOfPeriods": 2, "period": ["unit": "month", "numberOfUnits": 1],
        "duration": ["unit": "month", "numberOfUnits": 2],
      ])
    session.presenter.answer(sheet, .approve())
    _ = await page.states(2)
    session.clock.advance(by: .seconds(30))
    #expect(prices == ["1", "1", "20", "20"])
    session.onside.cancelSubscription(order: orders[0].id)
    session.clock.advance(by: .seconds(30))
    session.onside.settings.disableDialogs = true
    try await buy("gold")
    #expect(prices == ["1", "1", "20", "20", "20"])
    #expect(orders[4].originalID == orders[4].id)
  }

  @Test func `an upgrade starts at once, in the same chain of orders`() async throws {
    try await buy("silver")
    session.clock.advance(by: .seconds(4))
    let transaction = try await buy("gold")
    #expect(products == ["silver", "gold"])
    #expect(orders[0].expiresAt == orders[1].purchasedAt)
    #expect(orders[1].originalID == orders[0].id)
    #expect(transaction["transactionIdentifier"]?.stringValue == orders[1].id)
    #expect(transaction["originalTransactionIdentifier"]?.stringValue == orders[0].id)
    session.clock.advance(by: .seconds(10))
    #expect(products == ["silver", "gold", "gold"])
  }

  @Test func `a downgrade costs nothing now and starts at the next renewal`() async throws {
    try await buy("gold")
    let transaction = try await buy("silver")
    #expect(products == ["gold"])
    #expect(transaction["transactionIdentifier"]?.stringValue == orders[0].id)
    session.clock.advance(by: .seconds(10))
    #expect(products == ["gold", "silver"])
  }

  @Test func `buying an owned product costs nothing and resumes a cancelled subscription`() async throws {
    try await buy("silver")
    session.onside.cancelSubscription(order: orders[0].id)
    try await buy("silver")
    #expect(orders.count == 1)
    session.clock.advance(by: .seconds(10))
    #expect(orders.count == 2)
    try await buy("sticker")
    let transaction = try await buy("sticker")
    #expect(orders.count == 3)
    #expect(transaction["transactionIdentifier"]?.stringValue == orders[2].id)
  }

  @Test func `a refunded subscription ends`() async throws {
    try await buy("silver")
    #expect(session.onside.refund(order: orders[0].id))
    #expect(!session.onside.refund(order: orders[0].id))
    session.clock.advance(by: .seconds(30))
    #expect(orders.count == 1)
    #expect(orders[0].revokedAt != nil)
  }

  @Test func `a renewal that cannot be charged is tried again for as long as the rate says`() async throws {
    try await buy("silver")
    session.onside.settings.renewalBillingIssuesEnabled = true
    session.clock.advance(by: .seconds(12))
    #expect(session.onside.ledger.subscriptions.first?.isInBillingRetry == true)
    #expect(session.onside.launch.restorable(for: "de").isEmpty)
    session.onside.settings.renewalBillingIssuesEnabled = false
    #expect(orders.count == 2)
    #expect(orders[1].purchasedAt == session.clock.now.millisecondsSinceEpoch)
    session.onside.settings.renewalBillingIssuesEnabled = true
    session.clock.advance(by: .seconds(29))
    #expect(session.onside.ledger.subscriptions.count == 1)
    session.clock.advance(by: .seconds(1))
    #expect(session.onside.ledger.subscriptions.isEmpty)
  }

  @Test func `a test can set the lengths of the grace period and of the billing retry`() async throws {
    try await buy("silver")
    session.onside.settings.renewalBillingIssuesEnabled = true
    session.onside.settings.billingGracePeriodEnabled = true
    session.onside.settings.gracePeriodSeconds = 1
    session.onside.settings.billingRetrySeconds = 3
    session.clock.advance(by: .milliseconds(10_900))
    #expect(session.onside.launch.restorable(for: "de").count == 1)
    session.clock.advance(by: .milliseconds(200))
    #expect(session.onside.launch.restorable(for: "de").isEmpty)
    #expect(session.onside.ledger.subscriptions.count == 1)
    session.clock.advance(by: .seconds(2))
    #expect(session.onside.ledger.subscriptions.isEmpty)
  }

  @Test func `within the grace period a subscription stays live`() async throws {
    try await buy("silver")
    session.onside.settings.renewalBillingIssuesEnabled = true
    session.onside.settings.billingGracePeriodEnabled = true
    session.clock.advance(by: .milliseconds(19_900))
    #expect(session.onside.launch.restorable(for: "de").count == 1)
    session.clock.advance(by: .milliseconds(200))
    #expect(session.onside.launch.restorable(for: "de").isEmpty)
  }

  @Test func `buying again after a failed renewal without access costs the price and gives access`() async throws {
    try await buy("silver")
    session.onside.settings.renewalBillingIssuesEnabled = true
    session.clock.advance(by: .seconds(12))
    let transaction = try await buy("silver")
    #expect(prices == ["10", "10"])
    #expect(transaction["transactionIdentifier"]?.stringValue == orders[1].id)
    #expect(orders[1].originalID == orders[0].id)
    #expect(orders[1].purchasedAt == session.clock.now.millisecondsSinceEpoch)
    #expect(orders[0].expiresAt == orders[0].purchasedAt + 10000)
    #expect(session.onside.launch.restorable(for: "de").map(\.id) == [orders[1].id])
  }

  @Test func `a downgrade after a failed renewal without access starts at once`() async throws {
    try await buy("gold")
    session.onside.settings.renewalBillingIssuesEnabled = true
    session.clock.advance(by: .seconds(12))
    try await buy("silver")
    #expect(products == ["gold", "silver"])
    #expect(session.onside.launch.restorable(for: "de").map(\.productIdentifier) == ["silver"])
  }

  @Test func `buying again costs nothing within the grace period and the price after it`() async throws {
    try await buy("silver")
    session.onside.settings.renewalBillingIssuesEnabled = true
    session.onside.settings.billingGracePeriodEnabled = true
    session.clock.advance(by: .milliseconds(19_900))
    try await buy("silver")
    #expect(orders.count == 1)
    session.clock.advance(by: .milliseconds(200))
    try await buy("silver")
    #expect(orders.count == 2)
  }

  @Test func `the renewals of a long absence are limited in number`() async throws {
    try await buy("silver")
    session.clock.advance(by: .seconds(10_000_000))
    #expect(orders.count == 1 + OnsideLedger.renewalLimit)
    let now = session.clock.now.millisecondsSinceEpoch
    let last = try #require(orders.last)
    #expect(last.purchasedAt <= now && (last.expiresAt ?? 0) > now)
  }

  @Test func `a faster time rate applies to the current period too`() async throws {
    session.onside.settings.timeRate = .realTime
    try await buy("silver")
    session.clock.advance(by: .seconds(60))
    #expect(orders.count == 1)
    session.onside.settings.timeRate = .oneRenewalEveryThirtySeconds
    #expect(orders.count == 2)
    session.clock.advance(by: .seconds(30))
    #expect(orders.count == 3)
  }

  @Test func `a subscription that is not sold any more does not renew`() async throws {
    try await buy("silver")
    var configuration = session.configuration
    configuration.regionalTerms["silver"] = ["DE": OnsideRegionalTerms(isAvailable: false)]
    let onside = Onside(
      configuration: Shared(wrappedValue: configuration), state: session.stored, clock: session.clock,
      random: BridgeRandom(), presenter: session.presenter)
    session.clock.advance(by: .seconds(10))
    #expect(onside.ledger.subscriptions.isEmpty)
    #expect(onside.ledger.purchases.count == 1)
  }
}

import BridgeRuntime
import Testing

@testable import OnsideKit

/// The offers that subscriptions begin with, when something else changes while they last.
@BridgeActor
struct OfferTests {
  private let session: TestSession
  private var onside: Onside { session.onside }
  private var prices: [String] { onside.ledger.purchases.map(\.price.value.description) }

  init() {
    func product(_ id: String, _ level: Int, _ period: OnsidePeriod, _ offer: CatalogueOffer) -> CatalogueProduct {
      CatalogueProduct(
        id: id, type: .recurringSubscription, price: 20, referenceName: id, internalID: nil, localizations: [],
        subscription: CatalogueSubscription(
          groupIdentifier: "club", groupNumber: level, period: period, introductoryOffer: offer,
          promotionalOffers: [], winBackOffers: []))
    }
    func offer(
      _ mode: CatalogueOffer.PaymentMode, _ price: Decimal, _ period: OnsidePeriod, times count: Int = 1
    ) -> CatalogueOffer {
      CatalogueOffer(offerID: nil, paymentMode: mode, price: price, period: period, numberOfPeriods: count)
    }
    let products = [
      product("gold", 1, .month(1), offer(.payAsYouGo, 1, .month(1), times: 3)),
      product("silver", 2, .month(1), offer(.free, 0, .month(1))),
      product("yearly", 1, .year(1), offer(.free, 0, .day(3))),
      product("upFront", 1, .month(1), offer(.payUpFront, 2, .month(1), times: 3)),
    ]
    session = TestSession(
      OnsideConfiguration(catalogue: Catalogue(products: products), accounts: [TestSession.germany]), account: "de"
    ) { $0.timeRate = .oneRenewalEveryTenSeconds }
  }

  private func buy(_ product: String) throws -> OnsidePurchase {
    try #require(
      onside.seedPurchase(of: product, account: "de", purchasedAt: session.clock.now, isFinished: true))
  }

  @Test func `a downgrade costs the usual price, since the group has used its introductory offer`() throws {
    let order = try buy("gold")
    onside.launch.state.ledger.changeAtRenewal(orderID: order.id, to: "silver")
    session.clock.advance(by: .seconds(25))
    #expect(prices == ["1", "20", "20"])
    #expect(onside.ledger.subscriptions.first?.introductoryPeriodsLeft == 0)
  }

  @Test func `an offer continues when a downgrade is taken back`() throws {
    let order = try buy("gold")
    onside.launch.state.ledger.changeAtRenewal(orderID: order.id, to: "silver")
    onside.launch.state.ledger.resume(orderID: order.id, at: order.price)
    session.clock.advance(by: .seconds(35))
    #expect(prices == ["1", "1", "1", "20"])
  }

  @Test func `an offer retains its own length at another time rate`() throws {
    let trial = try buy("yearly")
    #expect(trial.expiresAt == trial.purchasedAt + 10_000)
    onside.settings.timeRate = .monthlyRenewalEveryThirtySeconds
    let length = StoreKitTimeRate.monthlyRenewalEveryThirtySeconds.end(of: .day(3), from: 0)
    #expect(onside.ledger[trial.id]?.expiresAt == trial.purchasedAt + length)
    onside.settings.timeRate = .oneHourIsOneDay
    #expect(onside.ledger[trial.id]?.expiresAt == trial.purchasedAt + 3 * 3_600_000)
    session.clock.advance(by: .seconds(3 * 3600))
    // The year that follows has the usual length again.
    let year = try #require(onside.ledger.purchases.last)
    onside.settings.timeRate = .oneMinuteIsOneDay
    #expect(onside.ledger[year.id]?.expiresAt == year.purchasedAt + 365 * 60_000)
  }

  @Test func `an offer retains the periods that were paid for at another time rate`() throws {
    let order = try buy("upFront")
    #expect(order.expiresAt == order.purchasedAt + 30_000)
    onside.settings.timeRate = .oneRenewalEveryThirtySeconds
    #expect(onside.ledger[order.id]?.expiresAt == order.purchasedAt + 90_000)
    onside.settings.timeRate = .oneMinuteIsOneDay
    #expect(onside.ledger[order.id]?.expiresAt == order.purchasedAt + 90 * 60_000)
  }

  @Test(arguments: [StoreKitTimeRate.oneRenewalEveryTwoSeconds, .realTime])
  func `another time rate does not undo a failed renewal`(_ rate: StoreKitTimeRate) throws {
    let order = try buy("silver")
    onside.settings.renewalBillingIssuesEnabled = true
    onside.settings.billingGracePeriodEnabled = true
    onside.settings.billingRetrySeconds = 60
    session.clock.advance(by: .seconds(25))
    let former = onside.ledger
    #expect(former.subscriptions.first?.isInBillingRetry == true)
    onside.settings.timeRate = rate
    #expect(onside.ledger[order.id]?.expiresAt == order.expiresAt)
    #expect(onside.ledger == former)
  }
}

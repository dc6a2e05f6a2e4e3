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

  @Test func `a lower product costs its usual price, since the group has had its introductory one`() throws {
    let order = try buy("gold")
    onside.launch.state.ledger.changeAtRenewal(orderID: order.id, to: "silver")
    session.clock.advance(by: .seconds(25))
    #expect(prices == ["1", "20", "20"])
    #expect(onside.ledger.subscriptions.first?.introductoryPeriodsLeft == 0)
  }

  @Test func `an offer goes on when a change to a lower product is taken back`() throws {
    let order = try buy("gold")
    onside.launch.state.ledger.changeAtRenewal(orderID: order.id, to: "silver")
    onside.launch.state.ledger.resume(orderID: order.id)
    session.clock.advance(by: .seconds(35))
    #expect(prices == ["1", "1", "1", "20"])
  }
}

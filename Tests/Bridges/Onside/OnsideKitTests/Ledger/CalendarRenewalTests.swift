import BridgeRuntime
import Foundation
import Testing

@testable import OnsideKit

/// Renewals in real time, by the calendar.
@BridgeActor
struct CalendarRenewalTests {
  private let session: TestSession
  private var onside: Onside { session.onside }

  init() {
    func product(
      _ id: String, _ level: Int, _ period: OnsidePeriod, _ offer: CatalogueOffer? = nil
    ) -> CatalogueProduct {
      CatalogueProduct(
        id: id, type: .recurringSubscription, price: 20, referenceName: id, internalID: nil, localizations: [],
        subscription: CatalogueSubscription(
          groupIdentifier: "club", groupNumber: level, period: period, introductoryOffer: offer,
          promotionalOffers: [], winBackOffers: []))
    }
    let offer = CatalogueOffer(
      offerID: nil, paymentMode: .payUpFront, price: 2, period: .month(1), numberOfPeriods: 3)
    let days = CatalogueOffer(offerID: nil, paymentMode: .free, price: 0, period: .day(28), numberOfPeriods: 1)
    let products = [
      product("gold", 1, .month(1)), product("yearly", 1, .year(1)), product("upFront", 1, .month(1), offer),
      product("trial", 1, .month(1), days), product("silver", 2, .month(1)),
    ]
    session = TestSession(
      OnsideConfiguration(catalogue: Catalogue(products: products), accounts: [TestSession.germany]), account: "de"
    ) { $0.timeRate = .realTime }
  }

  private func noon(_ day: String) throws -> BridgeInstant {
    let date = try Date("\(day)T12:00:00Z", strategy: .iso8601)
    return BridgeInstant(millisecondsSinceEpoch: date.timeIntervalSince1970 * 1000)
  }

  @discardableResult
  private func buy(_ product: String, _ day: String) throws -> OnsidePurchase {
    session.clock.advance(to: try noon(day))
    return try #require(
      onside.seedPurchase(of: product, account: "de", purchasedAt: session.clock.now, isFinished: true))
  }

  /// The days on which orders end, at noon, once the clock shows `day`.
  private func ends(_ day: String) throws -> [String] {
    session.clock.advance(to: try noon(day))
    return onside.ledger.purchases.map { order in
      let text = Date(timeIntervalSince1970: (order.expiresAt ?? 0) / 1000).formatted(.iso8601)
      #expect(text.hasSuffix("T12:00:00Z"))
      return String(text.prefix(10))
    }
  }

  @Test func `a subscription renews on the day of the purchase, or on the last one of a shorter month`() throws {
    try buy("gold", "2026-01-31")
    #expect(try ends("2026-05-01") == ["2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31"])
  }

  @Test func `changing the time rate and back leaves the day of renewal unchanged`() throws {
    try buy("gold", "2026-01-31")
    _ = try ends("2026-02-28")
    onside.settings.timeRate = .oneHourIsOneDay
    onside.settings.timeRate = .realTime
    #expect(try ends("2026-02-28") == ["2026-02-28", "2026-03-31"])
  }

  @Test func `a year that began on 29 February ends on it in leap years`() throws {
    try buy("yearly", "2024-02-29")
    #expect(
      try ends("2028-03-01") == ["2025-02-28", "2026-02-28", "2027-02-28", "2028-02-29", "2029-02-28"])
  }

  @Test func `an offer of several months ends on the day of the purchase`() throws {
    try buy("upFront", "2026-01-31")
    #expect(try ends("2026-05-01") == ["2026-04-30", "2026-05-31"])
  }

  @Test func `after an offer of days a subscription renews on the day on which the offer ended`() throws {
    try buy("trial", "2026-01-31")
    #expect(try ends("2026-03-01") == ["2026-02-28", "2026-03-28"])
  }

  @Test func `a downgrade retains the day of renewal, and an upgrade sets a new one`() throws {
    let order = try buy("gold", "2026-01-31")
    onside.launch.state.ledger.changeAtRenewal(orderID: order.id, to: "silver")
    #expect(try ends("2026-03-31") == ["2026-02-28", "2026-03-31", "2026-04-30"])
    try buy("gold", "2026-04-28")
    #expect(try ends("2026-06-01").suffix(3) == ["2026-04-28", "2026-05-28", "2026-06-28"])
  }

  @Test func `after a failed renewal a subscription renews on the day of the recovery`() throws {
    try buy("gold", "2025-12-31")
    onside.settings.renewalBillingIssuesEnabled = true
    #expect(try ends("2026-02-28") == ["2026-01-31"])
    onside.settings.renewalBillingIssuesEnabled = false
    #expect(try ends("2026-02-28") == ["2026-01-31", "2026-03-28"])
    #expect(try ends("2026-04-01") == ["2026-01-31", "2026-03-28", "2026-04-28"])
  }

  @Test func `a renewal on demand sets a new day of renewal`() throws {
    let order = try buy("gold", "2026-01-31")
    #expect(try ends("2026-03-31") == ["2026-02-28", "2026-03-31", "2026-04-30"])
    session.clock.advance(to: try noon("2026-04-28"))
    #expect(onside.renewSubscription(order: order.id))
    #expect(try ends("2026-06-01").suffix(3) == ["2026-04-28", "2026-05-28", "2026-06-28"])
  }
}

import BridgeCore
import BridgeRuntime
import Foundation
import Testing

@testable import OnsideKit

struct ModelTests {
  @Test(arguments: ["0.99", "29", "0", "1.1", "4.35", "999999999999.99", "0.07", "1.005", "8.41"])
  func `a price is written with the digits that it was read with`(_ text: String) throws {
    let price = OnsidePrice(value: try #require(Decimal(priceText: text)), currencyCode: "EUR")
    #expect(price.json["value"]?.jsonText == text)
    let copy = try JSONDecoder().decode(OnsidePrice.self, from: JSONEncoder().encode(price))
    #expect(copy == price)
  }

  @Test(arguments: [
    ("9.99", "EUR", 999), ("100", "JPY", 100), ("0.99", "JPY", 1), ("1.2345", "KWD", 1235), ("0.005", "EUR", 1),
  ])
  func `minor units depend on the currency`(_ text: String, _ currency: String, _ units: Int64) throws {
    #expect(OnsidePrice(value: try #require(Decimal(priceText: text)), currencyCode: currency).minorUnits == units)
  }

  @Test(arguments: [
    ("P1W", OnsidePeriod.week(1)), ("P1M", .month(1)), ("P3M", .month(3)), ("P1Y", .year(1)), ("P3D", .day(3)),
  ])
  func `a period is read and written`(_ text: String, _ period: OnsidePeriod) throws {
    #expect(OnsidePeriod(iso8601: text) == period)
    #expect(period.iso8601 == text)
    #expect(try JSONDecoder().decode([OnsidePeriod].self, from: JSONEncoder().encode([period])) == [period])
  }

  @Test(arguments: ["", "P", "PM", "P0M", "1M", "P1H", "PT1M", "P1M1D", "P-1M", "P99999D", "p1m"])
  func `a text that is not a period of one unit is refused`(_ text: String) {
    #expect(OnsidePeriod(iso8601: text) == nil)
  }

  @Test
  func `a product's text is chosen by region, then language, then the catalogue's locale`()
    throws
  {
    func text(_ locales: [String], _ region: String, _ fallback: String = "en_US") -> String? {
      CatalogueProduct(
        id: "a", type: .consumable, price: 1, referenceName: nil, internalID: nil,
        localizations: locales.map { CatalogueLocalization(locale: $0, displayName: "", description: "") },
        subscription: nil
      ).localization(for: Territory(code: region), fallbackLocale: fallback)?.locale
    }
    #expect(text(["en_US", "en_GB"], "GB") == "en_GB")
    #expect(text(["en_GB", "en_US"], "US") == "en_US")
    #expect(text(["en_US", "fr_CA"], "FR") == "fr_CA")
    #expect(text(["en_US", "fr_FR", "de"], "CH") == "de")
    #expect(text(["fr_FR", "en_GB", "en_US"], "JP") == "en_US")
    #expect(text(["fr_FR", "en_GB"], "JP") == "en_GB")
    #expect(text(["fr_FR"], "JP") == "fr_FR")
    #expect(text([], "JP") == nil)
  }

  @Test func `a stored purchase is decoded with and without its optional members`() throws {
    func price(_ text: String) throws -> OnsidePrice {
      OnsidePrice(value: try #require(Decimal(priceText: text)), currencyCode: "EUR")
    }
    let plain = OnsideProduct(
      productIdentifier: "coins", localizedTitle: "\"Coins\"\n", localizedDescription: "", price: try price("0.99"))
    let full = OnsideProduct(
      productIdentifier: "pro", localizedTitle: "Pro é", localizedDescription: "All", iconURL: "/i.png",
      subscriptionGroupIdentifier: "group", subscriptionPeriod: .month(1), price: try price("9.90"),
      introductoryPrice: OnsidePricePeriod(price: try price("1"), period: .week(2)),
      discountedPrice: OnsidePricePeriod(price: try price("0.5"), period: .year(1)))
    for (product, token) in [(plain, nil), (full, "token")] {
      let transaction = OnsidePaymentTransaction(
        id: UUID(BridgeRandom(seed: 1)), payment: OnsidePayment(product: product, appAccountToken: token),
        transactionState: .purchasing, storefront: OnsideStorefront(id: "s", countryCode: "DE"))
      var entry = QueuedTransaction(payment: transaction, accountID: "a")
      #expect(try JSONDecoder().decode(QueuedTransaction.self, from: Data(entry.storedText)) == entry)
      entry = QueuedTransaction(purchased: transaction, accountID: "a", orderID: "order", originalID: "original")
      entry.agreedCountryCode = "DE"
      #expect(try JSONDecoder().decode(QueuedTransaction.self, from: Data(entry.storedText)) == entry)
      var failed = QueuedTransaction(payment: transaction, accountID: "a")
      _ = failed.fail(.cancelled)
      #expect(try JSONDecoder().decode(QueuedTransaction.self, from: Data(failed.storedText)) == failed)
    }
    for (group, token, time) in [(nil, nil, nil), ("group", "token", 1_760_000_000_000.5)]
      as [(String?, String?, Double?)]
    {
      let order = OnsidePurchase(
        id: "id", originalID: "original", accountID: "a", productIdentifier: "pro", type: .recurringSubscription,
        groupIdentifier: group, price: try price("9.90"), countryCode: "DE", appAccountToken: token, reason: .renewal,
        purchasedAt: 1_760_000_000_000, originalPurchasedAt: 1, expiresAt: time, revokedAt: time,
        revocationReason: token)
      #expect(try JSONDecoder().decode(OnsidePurchase.self, from: Data(order.storedText)) == order)
    }
  }

  @Test func `a transaction's id is a UUID, written in lower case`() throws {
    let id = UUID(BridgeRandom(seed: 1))
    #expect(id.text == BridgeRandom(seed: 1).uuid())
    #expect(id.text == id.uuidString.lowercased())
    #expect(UUID(uuidString: id.text) == id)
  }

  @Test func `the state is decoded as it was encoded`() throws {
    var settings = OnsideSettings()
    try settings.set(OnsideCallBehaviour(delayMilliseconds: 5, error: "cancelled", once: true), for: .loadProducts)
    let state = OnsideState(settings: settings)
    #expect(try JSONDecoder().decode(OnsideState.self, from: JSONEncoder().encode(state)) == state)
  }
}

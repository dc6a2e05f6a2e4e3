import Essentials
import OnsideKit
import Testing

@testable import FootbridgeCommand

@Suite struct CatalogTests {
  @Test func `a catalogue is printed as a table of its products and offers`() throws {
    let file = """
      {"settings": {"_storefront": "NLD"},
       "products": [{"productID": "coins", "type": "Consumable", "displayPrice": "0.99", "referenceName": "Coins"}],
       "subscriptionGroups": [{"id": "1", "subscriptions": [{"productID": "club", "type": "RecurringSubscription",
         "displayPrice": "9.99", "recurringSubscriptionPeriod": "P1M", "referenceName": "Club",
         "introductoryOffer": {"paymentMode": "payAsYouGo", "displayPrice": "1.99", "subscriptionPeriod": "P1M", "numberOfPeriods": 3}}]}]}
      """
    let lines = CatalogueTable(try StoreKitConfiguration(data: Data(file.utf8))).lines
    #expect(
      lines == [
        "Product  Type                   Price in EUR  Period  Title  Offers",
        "coins    Consumable             0.99                  Coins",
        "club     RecurringSubscription  9.99          P1M     Club   introductory 1.99 for each of 3 × P1M",
      ])
  }
}

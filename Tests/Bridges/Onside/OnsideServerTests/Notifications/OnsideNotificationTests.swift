import BridgeCore
import Testing

@testable import OnsideKit
@testable import OnsideServer
@testable import Sessions

struct OnsideNotificationTests {
  /// A subscription whose renewal failed at 1000, as a change at `now` tells of it.
  private func status(grace: Double, at now: Double) -> JSONValue? {
    let order = OnsidePurchase(
      id: "1", originalID: "1", accountID: "de", productIdentifier: "silver", type: .recurringSubscription,
      groupIdentifier: "club", price: OnsidePrice(value: 10, currencyCode: "EUR"), countryCode: "DE", reason: .purchase,
      purchasedAt: 0, originalPurchasedAt: 0, expiresAt: 1000)
    let subscription = OnsideSubscription(
      accountID: "de", groupIdentifier: "club", productIdentifier: "silver", orderID: "1", isInBillingRetry: true)
    let change = OnsideLedgerChange(
      kind: .renewalStatusChanged, subtype: nil, order: order, subscription: subscription)
    let content = OnsideNotification.content(
      of: change, id: "n", bundleIdentifier: "com.example.shop", grace: grace, at: now)
    return content["data"]?["status"]
  }

  @Test func `the status after a failed renewal is grace period, then billing retry`() {
    #expect(status(grace: 500, at: 1000) == 4 && status(grace: 500, at: 1499) == 4)
    #expect(status(grace: 500, at: 1500) == 3)
    #expect(status(grace: 0, at: 1000) == 3)
  }
}

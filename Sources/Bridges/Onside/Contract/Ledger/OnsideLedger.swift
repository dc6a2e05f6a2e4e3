public import BridgeRuntime

/// The orders and subscriptions of all accounts of a session: what the store's server knows. A pure value. The caller passes the time, in
/// milliseconds since the Unix epoch.
public struct OnsideLedger: Sendable, Hashable, Codable {
  /// All orders, oldest first. Of one subscription, only the latest ``renewalLimit`` renewals are kept.
  public var purchases = SharedList<OnsidePurchase>()
  /// The subscriptions that have not expired.
  public internal(set) var subscriptions: [OnsideSubscription] = []

  /// The maximum number of renewals kept for one subscription, so that a fast clock does not fill the store.
  public static let renewalLimit = 100

  /// Creates an empty ledger.
  public init() {}

  /// The order with this id.
  public subscript(orderID: String) -> OnsidePurchase? {
    purchases.firstIndex { $0.id == orderID }.map { purchases[$0] }
  }

  // MARK: Entitlements

  /// The account's order of a non-consumable product. A product that an account owns is not charged again.
  func owned(_ productIdentifier: String, by accountID: String) -> OnsidePurchase? {
    let index = purchases.lastIndex(whereShared: {
      $0.wrappedValue.type == .nonConsumable && $0.wrappedValue.revokedAt == nil
        && $0.wrappedValue.accountID == accountID && $0.wrappedValue.productIdentifier == productIdentifier
    })
    return index.map { purchases[$0] }
  }

  /// The orders that a restore returns, oldest first: of those that belong to the account, non-consumables that were not refunded, and the
  /// current order of each active subscription.
  ///
  /// - Parameter belongs: Whether an order is the account's own, or one that its family shares.
  func restorable(
    at now: Double, belongs: (OnsidePurchase) -> Bool, grace: (OnsideSubscription) -> Double
  ) -> [OnsidePurchase] {
    let live = Set(subscriptions.filter { isLive($0, at: now, grace: grace($0)) }.map(\.orderID))
    return purchases.filter {
      $0.revokedAt == nil && ($0.type == .nonConsumable || live.contains($0.id)) && belongs($0)
    }
  }

  /// Whether a subscription is active: its period has not ended, or its failed renewal is within the grace period.
  func isLive(_ subscription: OnsideSubscription, at now: Double, grace: Double) -> Bool {
    guard let expiresAt = self[subscription.orderID]?.expiresAt else { return false }
    return now < expiresAt || (subscription.isInBillingRetry && now < expiresAt + grace)
  }

  /// Whether the renewal of a subscription has failed, and its grace period is over: it is not active, but may still renew.
  func hasLapsed(_ subscription: OnsideSubscription, at now: Double, grace: Double) -> Bool {
    subscription.isInBillingRetry && !isLive(subscription, at: now, grace: grace)
  }

  /// Whether the account gets the introductory price of a group: it never had a subscription of that group.
  func isEligibleForIntroductoryPrice(_ accountID: String, group: String) -> Bool {
    !purchases.contains { $0.accountID == accountID && $0.groupIdentifier == group }
  }

  // MARK: Refunds

  /// Refunds an order. If it is the current order of a subscription, the subscription ends. Returns false if there is no such order, or if it
  /// was refunded before.
  mutating func refund(_ orderID: String, at now: Double, reason: String) -> Bool {
    guard let index = purchases.firstIndex(where: { $0.id == orderID }), purchases[index].revokedAt == nil else {
      return false
    }
    purchases[index].revokedAt = now
    purchases[index].revocationReason = reason
    subscriptions.removeAll { $0.orderID == orderID }
    return true
  }

  /// Deletes an order, as if it had never been made. If it is the current order of a subscription, the subscription ends. Returns false if
  /// there is no such order.
  mutating func delete(_ orderID: String) -> Bool {
    guard let index = purchases.firstIndex(where: { $0.id == orderID }) else { return false }
    _ = purchases.remove(at: index)
    subscriptions.removeAll { $0.orderID == orderID }
    return true
  }

  /// Changes an order in place.
  mutating func update(_ orderID: String, _ change: (inout OnsidePurchase) -> Void) {
    guard let index = purchases.firstIndex(where: { $0.id == orderID }) else { return }
    change(&purchases[index])
  }
}

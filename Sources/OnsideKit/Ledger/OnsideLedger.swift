public import BridgeRuntime

/// The orders and subscriptions of all accounts of a session: what the store's server knows. A pure value; time is handed in, in
/// milliseconds since the Unix epoch.
public struct OnsideLedger: Sendable, Hashable, Codable {
  /// Every order, oldest first; of one subscription the latest ``renewalLimit`` renewals are kept.
  public var purchases = SharedList<OnsidePurchase>()
  /// The subscriptions that have not lapsed.
  public internal(set) var subscriptions: [OnsideSubscription] = []

  /// How many renewals of one subscription are kept, so that a fast clock does not fill the store.
  public static let renewalLimit = 100

  /// Creates an empty ledger.
  public init() {}

  /// The order with this id.
  public subscript(orderID: String) -> OnsidePurchase? { purchases.first { $0.id == orderID } }

  // MARK: Entitlements

  /// The order by which the account owns a non-consumable, which is not charged twice.
  func owned(_ productIdentifier: String, by accountID: String) -> OnsidePurchase? {
    purchases.last {
      $0.accountID == accountID && $0.productIdentifier == productIdentifier && $0.type == .nonConsumable
        && $0.revokedAt == nil
    }
  }

  /// What a restore brings back for the account: non-consumables that were not refunded, and the present order of each live
  /// subscription, oldest first.
  func restorable(for accountID: String, at now: Double, grace: (OnsideSubscription) -> Double) -> [OnsidePurchase] {
    let live = Set(
      subscriptions.filter { $0.accountID == accountID && isLive($0, at: now, grace: grace($0)) }.map(\.orderID))
    return purchases.filter {
      $0.accountID == accountID && $0.revokedAt == nil && ($0.type == .nonConsumable || live.contains($0.id))
    }
  }

  /// Whether a subscription entitles its holder now: its period lasts, or its failed renewal is within the grace period.
  func isLive(_ subscription: OnsideSubscription, at now: Double, grace: Double) -> Bool {
    guard let expiresAt = self[subscription.orderID]?.expiresAt else { return false }
    return now < expiresAt || (subscription.isInBillingRetry && now < expiresAt + grace)
  }

  /// Whether the account can have the introductory price of a group: it never had a subscription of it.
  func isEligibleForIntroductoryPrice(_ accountID: String, group: String) -> Bool {
    !purchases.contains { $0.accountID == accountID && $0.groupIdentifier == group }
  }

  // MARK: Refunds

  /// Refunds an order. A subscription ends with its present order. False when there is no such order, or it was refunded before.
  mutating func refund(_ orderID: String, at now: Double, reason: String) -> Bool {
    guard let index = purchases.firstIndex(where: { $0.id == orderID }), purchases[index].revokedAt == nil else {
      return false
    }
    purchases[index].revokedAt = now
    purchases[index].revocationReason = reason
    subscriptions.removeAll { $0.orderID == orderID }
    return true
  }

  /// Changes an order in place.
  mutating func update(_ orderID: String, _ change: (inout OnsidePurchase) -> Void) {
    guard let index = purchases.firstIndex(where: { $0.id == orderID }) else { return }
    change(&purchases[index])
  }
}

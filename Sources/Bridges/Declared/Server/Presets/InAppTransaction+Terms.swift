import InAppPurchases
import BridgeRuntime
import Essentials
import Sessions

/// What the backends of vendors make of a transaction of the store.
extension InAppTransaction {
  /// When what was bought ends; nil for never. A refund and a grace period count.
  var end: BridgeInstant? { revokedAt ?? subscription?.graceEndsAt ?? expiresAt }

  /// Whether the account has what was bought at a time.
  func isActive(at time: BridgeInstant) -> Bool {
    if revokedAt != nil { return false }
    guard let end else { return true }
    return time < end
  }

  /// When it was known that the subscription does not renew: the store does not say it, so it is the beginning of the period.
  var unsubscribedAt: BridgeInstant? {
    guard kind == .recurringSubscription, let subscription else { return nil }
    return subscription.renews ? nil : purchasedAt
  }

  /// When the renewal failed.
  var billingIssueAt: BridgeInstant? { subscription?.isInBillingRetry == true ? expiresAt : nil }

  /// Whether a subscription will renew at the end of its period.
  var willRenew: Bool { subscription.map { $0.renews && !$0.isInBillingRetry } ?? false }

  /// The latest transaction of each product that renews, and all others that are not refunded; each in the order of purchases.
  ///
  /// - Parameter transactions: Oldest first.
  static func latest(_ transactions: [InAppTransaction]) -> (
    subscriptions: [InAppTransaction], others: [InAppTransaction]
  ) {
    let latest = Dictionary(
      transactions.filter { $0.kind == .recurringSubscription }.map { ($0.productID, $0) }, uniquingKeysWith: { $1 })
    return (
      latest.values.sorted { $0.purchasedAt < $1.purchasedAt },
      transactions.filter { $0.kind != .recurringSubscription && $0.revokedAt == nil }
    )
  }

  /// Of several transactions, the one that gives access for longest.
  static func source(among candidates: [InAppTransaction], at time: BridgeInstant) -> InAppTransaction? {
    candidates.max { one, other in
      (one.isActive(at: time) ? 1 : 0, one.end ?? .lastOfRFC3339)
        < (other.isActive(at: time) ? 1 : 0, other.end ?? .lastOfRFC3339)
    }
  }
}

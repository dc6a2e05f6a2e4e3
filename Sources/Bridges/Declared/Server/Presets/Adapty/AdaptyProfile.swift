import InAppPurchases
import BridgeCore
import BridgeRuntime
import Essentials
import Sessions

/// A profile in Adapty's words (cross_platform.yaml 3.17, `AdaptyProfile`).
struct AdaptyProfile {
  private let profiles: AdaptyProfiles
  private let options: AdaptyOptions
  /// The transactions of the account, oldest first.
  private let transactions: [InAppTransaction]
  private let now: BridgeInstant

  init(_ profiles: AdaptyProfiles, _ options: AdaptyOptions, _ transactions: [InAppTransaction], now: BridgeInstant) {
    self.profiles = profiles
    self.options = options
    self.transactions = transactions
    self.now = now
  }

  var json: JSONValue {
    let subscriptions = InAppTransaction.latest(transactions).subscriptions
    let others = transactions.filter { $0.kind != .recurringSubscription }
    var members: [String: JSONValue] = [
      "profile_id": .string(profiles.id), "segment_hash": "footbridge", "is_test_user": false,
      "timestamp": .number(now.millisecondsSinceEpoch.rounded(.down)),
      "custom_attributes": .object(profiles.ownAttributes),
      "paid_access_levels": .object(levels(from: subscriptions + others)),
      "subscriptions": .object(
        Dictionary(subscriptions.map { ($0.productID, subscription($0)) }, uniquingKeysWith: { $1 })),
      "non_subscriptions": .object(
        Dictionary(grouping: others, by: \.productID).mapValues { .array($0.map(purchase)) }),
    ]
    members["customer_user_id"] = profiles.customerUserID.map { .string($0) }
    return .object(members)
  }

  private func levels(from all: [InAppTransaction]) -> [String: JSONValue] {
    var products: [String: Set<String>] = [:]
    for transaction in all {
      if let levels = options.accessLevels {
        for (level, own) in levels where own.contains(transaction.productID) {
          products[level, default: []].insert(transaction.productID)
        }
      } else if transaction.kind != .consumable {
        products[AdaptyOptions.usualLevel, default: []].insert(transaction.productID)
      }
    }
    return products.reduce(into: [:]) { found, entry in
      let candidates = all.filter { entry.value.contains($0.productID) }
      guard let source = InAppTransaction.source(among: candidates, at: now) else { return }
      var members = terms(of: source)
      members["id"] = .string(entry.key)
      found[entry.key] = .object(members)
    }
  }

  private func subscription(_ transaction: InAppTransaction) -> JSONValue {
    var members = terms(of: transaction)
    members["vendor_transaction_id"] = .string(transaction.id)
    members["vendor_original_transaction_id"] = .string(transaction.originalID)
    members["is_sandbox"] = true
    return .object(members)
  }

  private func purchase(_ transaction: InAppTransaction) -> JSONValue {
    [
      "purchase_id": .string(transaction.id), "store": "app_store",
      "vendor_product_id": .string(transaction.productID), "vendor_transaction_id": .string(transaction.id),
      "purchased_at": .string(transaction.purchasedAt.adapty), "is_sandbox": true,
      "is_refund": .bool(transaction.revokedAt != nil), "is_consumable": .bool(transaction.kind == .consumable),
    ]
  }

  /// The members that access levels and subscriptions have both.
  private func terms(of transaction: InAppTransaction) -> [String: JSONValue] {
    let isActive = transaction.isActive(at: now)
    let isInGrace = isActive && transaction.subscription?.graceEndsAt != nil
    var members: [String: JSONValue] = [
      "is_active": .bool(isActive), "vendor_product_id": .string(transaction.productID), "store": "app_store",
      "activated_at": .string(transaction.originalPurchasedAt.adapty),
      "is_lifetime": .bool(transaction.expiresAt == nil), "will_renew": .bool(transaction.willRenew && isActive),
      "is_in_grace_period": .bool(isInGrace), "is_refund": .bool(transaction.revokedAt != nil),
    ]
    let times: [(String, BridgeInstant?)] = [
      ("renewed_at", transaction.purchasedAt), ("starts_at", transaction.originalPurchasedAt),
      ("expires_at", transaction.expiresAt), ("unsubscribed_at", transaction.unsubscribedAt),
      ("billing_issue_detected_at", transaction.billingIssueAt),
    ]
    for (name, time) in times { members[name] = time.map { .string($0.adapty) } }
    if let subscription = transaction.subscription, let mode = subscription.offerMode {
      let kind = subscription.isIntroductory ? "introductory" : "promotional"
      members["active_\(kind)_offer_type"] = .string(mode.adapty)
      if !subscription.isIntroductory {
        members["active_promotional_offer_id"] = subscription.offerID.map { .string($0) }
      }
      members["offer_id"] = subscription.offerID.map { .string($0) }
    }
    members["cancellation_reason"] = cancellation(of: transaction).map { .string($0) }
    return members
  }

  private func cancellation(of transaction: InAppTransaction) -> String? {
    if transaction.revokedAt != nil { return "refund" }
    guard transaction.kind == .recurringSubscription, let subscription = transaction.subscription else { return nil }
    if !subscription.renews { return "voluntarily_cancelled" }
    return subscription.isInBillingRetry ? "billing_error" : nil
  }
}

extension BridgeInstant {
  /// The instant as Adapty's SDK for iOS writes it: `2030-01-01T00:00:00.000+0000`.
  fileprivate var adapty: String {
    let milliseconds = Int64(millisecondsSinceEpoch.rounded(.down))
    let fraction = String(milliseconds - (milliseconds / 1000) * 1000)
    return wholeSeconds.dropLast() + "." + String(repeating: "0", count: max(0, 3 - fraction.count)) + fraction
      + "+0000"
  }
}

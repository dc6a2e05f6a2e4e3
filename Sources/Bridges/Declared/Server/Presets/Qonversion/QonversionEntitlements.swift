import InAppPurchases
import BridgeCore
import BridgeRuntime
import Sessions

/// What a user has, in Qonversion's words (sandwich-sdk 7.11.0, `Mappers.swift`).
struct QonversionEntitlements {
  private let options: QonversionOptions
  /// The transactions of the user, oldest first.
  private let transactions: [InAppTransaction]
  private let now: BridgeInstant

  init(_ options: QonversionOptions, _ transactions: [InAppTransaction], now: BridgeInstant) {
    self.options = options
    self.transactions = transactions
    self.now = now
  }

  var json: JSONValue {
    let subscriptions = InAppTransaction.latest(transactions).subscriptions
    let candidates = subscriptions + transactions.filter { $0.kind != .recurringSubscription }
    return .object(
      options.entitlements.reduce(into: [:]) { found, entitlement in
        let products = Set(entitlement.value.compactMap { options.product($0) })
        let own = candidates.filter { products.contains($0.productID) }
        found[entitlement.key] = InAppTransaction.source(among: own, at: now).map { json(entitlement.key, $0) }
      })
  }

  private func json(_ id: String, _ transaction: InAppTransaction) -> JSONValue {
    let chain = transactions.filter { $0.originalID == transaction.originalID }
    var members: [String: JSONValue] = [
      "id": .string(id), "productId": .string(options.id(of: transaction.productID)),
      "active": .bool(transaction.isActive(at: now)), "renewState": .string(renewState(of: transaction)),
      "source": "AppStore", "grantType": transaction.isShared ? "FamilySharing" : "Purchase",
      "renewsCount": .number(Double(chain.filter(\.isRenewal).count)),
      "startedTimestamp": .number(transaction.originalPurchasedAt.millisecondsSinceEpoch),
      "firstPurchaseTimestamp": .number(transaction.originalPurchasedAt.millisecondsSinceEpoch),
      "lastPurchaseTimestamp": .number(transaction.purchasedAt.millisecondsSinceEpoch),
      "transactions": .array(chain.map(order)),
    ]
    members.set("expirationTimestamp", transaction.end)
    members.set("autoRenewDisableTimestamp", transaction.unsubscribedAt)
    if transaction.isTrial { members.set("trialStartTimestamp", transaction.purchasedAt) }
    return .object(members)
  }

  private func renewState(of transaction: InAppTransaction) -> String {
    guard transaction.kind == .recurringSubscription else { return "non_renewable" }
    if transaction.subscription?.isInBillingRetry == true { return "billing_issue" }
    return transaction.willRenew ? "will_renew" : "canceled"
  }

  private func order(_ transaction: InAppTransaction) -> JSONValue {
    var members: [String: JSONValue] = [
      "transactionId": .string(transaction.id), "originalTransactionId": .string(transaction.originalID),
      "transactionTimestamp": .number(transaction.purchasedAt.millisecondsSinceEpoch), "environment": "Sandbox",
      "ownershipType": transaction.isShared ? "FamilySharing" : "Owner", "type": .string(transaction.qonversionType),
    ]
    members.set("expirationTimestamp", transaction.expiresAt)
    members.set("transactionRevocationTimestamp", transaction.revokedAt)
    members["promoOfferId"] = transaction.subscription?.offerID.map { .string($0) }
    return .object(members)
  }
}

extension InAppTransaction {
  fileprivate var isTrial: Bool { subscription.map { $0.isIntroductory && $0.offerMode == .free } ?? false }

  fileprivate var qonversionType: String {
    guard kind == .recurringSubscription else { return "NonConsumablePurchase" }
    if isTrial { return "TrialStarted" }
    let kind = subscription?.isIntroductory == true ? "Intro" : "Subscription"
    return isRenewal ? "\(kind)Renewed" : "\(kind)Started"
  }

  /// The transaction in the result of a purchase.
  var qonversionStoreTransaction: JSONValue {
    var members: [String: JSONValue] = [
      "transactionId": .string(id), "originalTransactionId": .string(originalID),
      "transactionTimestamp": .number(purchasedAt.millisecondsSinceEpoch), "productId": .string(productID),
      "quantity": 1,
    ]
    members["promoOfferId"] = subscription?.offerID.map { .string($0) }
    return .object(members)
  }
}

extension [String: JSONValue] {
  /// Sets a time in milliseconds, unless there is none.
  fileprivate mutating func set(_ name: String, _ time: BridgeInstant?) {
    self[name] = time.map { .number($0.millisecondsSinceEpoch) }
  }
}

import InAppPurchases
import BridgeCore
import BridgeRuntime
import Essentials
import Sessions

/// What a user has, in RevenueCat's words (purchases-hybrid-common 18.32.1, `CustomerInfo+HybridAdditions.swift`,
/// `EntitlementInfo+HybridAdditions.swift`, `SubscriptionInfo+HybridAdditions.swift`,
/// `NonSubscriptionTransaction+HybridAdditions.swift`).
struct RevenueCatCustomerInfo {
  /// The latest transaction of each chain that belongs to the user, by product.
  private let subscriptions: [InAppTransaction]
  private let others: [InAppTransaction]
  private let entitlements: [String: [String]]
  private let customer: PresetCustomers.Seen
  private let now: BridgeInstant

  /// - Parameter transactions: Those of the user, oldest first.
  init(
    _ transactions: [InAppTransaction], entitlements: [String: [String]], customer: PresetCustomers.Seen,
    now: BridgeInstant
  ) {
    (subscriptions, others) = InAppTransaction.latest(transactions)
    self.entitlements = entitlements
    self.customer = customer
    self.now = now
  }

  /// Whether the user has an entitlement now.
  func has(_ entitlement: String) -> Bool { source(of: entitlement)?.isActive(at: now) ?? false }

  /// The transaction that gives an entitlement: of several, the one that lasts longest.
  private func source(of entitlement: String) -> InAppTransaction? {
    let products = Set(entitlements[entitlement] ?? [])
    return InAppTransaction.source(among: (subscriptions + others).filter { products.contains($0.productID) }, at: now)
  }

  var json: JSONValue {
    let all = entitlements.keys.reduce(into: [String: JSONValue]()) { found, name in
      found[name] = source(of: name).map { entitlement(name, $0) }
    }
    let active = all.filter { $0.value["isActive"] == true }
    let activeSubscriptions = subscriptions.filter { $0.isActive(at: now) }
    let bought = subscriptions + others
    let end = subscriptions.compactMap(\.end).max()
    var members: [String: JSONValue] = [
      "entitlements": ["all": .object(all), "active": .object(active), "verification": "NOT_REQUESTED"],
      "activeSubscriptions": .array(activeSubscriptions.map { .string($0.productID) }),
      "allPurchasedProductIdentifiers": .array(Set(bought.map(\.productID)).sorted().map { .string($0) }),
      "originalAppUserId": .string(customer.original), "originalApplicationVersion": .null,
      "managementURL": activeSubscriptions.isEmpty ? .null : "https://apps.apple.com/account/subscriptions",
      "nonSubscriptionTransactions": .array(others.map(\.revenueCatTransaction)),
      "subscriptionsByProductIdentifier": .object(
        Dictionary(subscriptions.map { ($0.productID, subscription($0)) }, uniquingKeysWith: { $1 })),
    ]
    members.setTime("latestExpirationDate", end)
    members.setTime("firstSeen", BridgeInstant(millisecondsSinceEpoch: customer.at))
    members.setTime("requestDate", now)
    members.setTime("originalPurchaseDate", nil)
    var (ends, purchases): ([String: BridgeInstant?], [String: BridgeInstant?]) = ([:], [:])
    for transaction in others + subscriptions {
      ends[transaction.productID] = .some(transaction.end)
      purchases[transaction.productID] = .some(transaction.purchasedAt)
    }
    for (name, times) in [("allExpirationDates", ends), ("allPurchaseDates", purchases)] {
      members[name] = .object(times.mapValues { $0.map { .string($0.wholeSeconds) } ?? .null })
      members["\(name)Millis"] = .object(times.mapValues { $0.map { .number($0.millisecondsSinceEpoch) } ?? .null })
    }
    return .object(members)
  }

  private func entitlement(_ name: String, _ transaction: InAppTransaction) -> JSONValue {
    var members = terms(of: transaction)
    members["identifier"] = .string(name)
    members["verification"] = "NOT_REQUESTED"
    members.setTime("latestPurchaseDate", transaction.purchasedAt)
    members.setTime("originalPurchaseDate", transaction.originalPurchasedAt)
    members.setTime("expirationDate", transaction.end)
    members.setTime("unsubscribeDetectedAt", transaction.unsubscribedAt)
    members.setTime("billingIssueDetectedAt", transaction.billingIssueAt)
    return .object(members)
  }

  private func subscription(_ transaction: InAppTransaction) -> JSONValue {
    func time(_ instant: BridgeInstant?) -> JSONValue { instant.map { .string($0.wholeSeconds) } ?? .null }
    var members = terms(of: transaction)
    members["purchaseDate"] = time(transaction.purchasedAt)
    members["originalPurchaseDate"] = time(transaction.originalPurchasedAt)
    members["expiresDate"] = time(transaction.expiresAt)
    members["unsubscribeDetectedAt"] = time(transaction.unsubscribedAt)
    members["billingIssuesDetectedAt"] = time(transaction.billingIssueAt)
    members["gracePeriodExpiresDate"] = time(transaction.subscription?.graceEndsAt)
    members["refundedAt"] = time(transaction.revokedAt)
    members["storeTransactionId"] = .string(transaction.id)
    members["price"] = [
      "currency": .string(transaction.price.currencyCode), "amount": .number(transaction.price.value),
    ]
    for name in ["autoResumeDate", "displayName", "managementURL"] { members[name] = .null }
    return .object(members)
  }

  /// The members that entitlements and subscriptions have both.
  private func terms(of transaction: InAppTransaction) -> [String: JSONValue] {
    let isActive = transaction.isActive(at: now)
    return [
      "isActive": .bool(isActive), "willRenew": .bool(transaction.willRenew && isActive),
      "periodType": .string(transaction.periodType), "store": "APP_STORE", "isSandbox": true,
      "productIdentifier": .string(transaction.productID), "productPlanIdentifier": .null,
      "ownershipType": transaction.isShared ? "FAMILY_SHARED" : "PURCHASED",
    ]
  }
}

extension InAppTransaction {
  /// `TRIAL`, `INTRO` or `NORMAL`.
  fileprivate var periodType: String {
    guard let subscription, let mode = subscription.offerMode, subscription.isIntroductory else { return "NORMAL" }
    return mode == .free ? "TRIAL" : "INTRO"
  }

  /// The transaction in RevenueCat's words (`StoreTransaction+HybridAdditions.swift`), without the members of Android.
  var revenueCatTransaction: JSONValue {
    [
      "transactionIdentifier": .string(id), "revenueCatId": .string(id), "productIdentifier": .string(productID),
      "productId": .string(productID), "purchaseDate": .string(purchasedAt.wholeSeconds),
      "purchaseDateMillis": .number(purchasedAt.millisecondsSinceEpoch),
    ]
  }
}

extension BridgeInstant {
  /// The instant in RFC 3339's format without fractions of a second, as `ISO8601DateFormatter` writes it.
  var wholeSeconds: String {
    Date(timeIntervalSince1970: (millisecondsSinceEpoch / 1000).rounded(.down)).formatted(.iso8601)
  }
}

extension [String: JSONValue] {
  /// Sets a time as text, and in milliseconds under the same name with `Millis`.
  fileprivate mutating func setTime(_ name: String, _ time: BridgeInstant?) {
    self[name] = time.map { .string($0.wholeSeconds) } ?? .null
    self["\(name)Millis"] = time.map { .number($0.millisecondsSinceEpoch) } ?? .null
  }
}

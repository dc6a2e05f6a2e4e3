public import BridgeCore
import Essentials

extension OnsideLedger {
  /// The `TransactionHistory` of an account's orders, oldest first (onside-more, 7).
  ///
  /// - Parameters:
  ///   - accountID: The account.
  ///   - belongs: Whether an order is the account's own, or one that its family shares; nil for its own alone. The token of another account's
  ///     purchase is left out.
  ///   - bundleIdentifier: The app.
  ///   - now: The value of `fetched_at`, in milliseconds since the Unix epoch.
  public func history(
    ofAccount accountID: String, belongs: ((OnsidePurchase) -> Bool)? = nil, bundleIdentifier: String, at now: Double
  ) -> JSONValue {
    let belongs = belongs ?? { $0.accountID == accountID }
    let orders = purchases.filter(belongs).map { $0.accountID == accountID ? $0 : $0.withoutToken }
    return history(of: orders, bundleIdentifier: bundleIdentifier, at: now)
  }

  /// The `TransactionHistory` of one order: the order and, for a subscription, all other orders of its chain. Nil if there is no such
  /// order.
  public func history(ofOrder orderID: String, bundleIdentifier: String, at now: Double) -> JSONValue? {
    guard let order = self[orderID] else { return nil }
    return history(
      of: purchases.filter { $0.originalID == order.originalID }, bundleIdentifier: bundleIdentifier, at: now)
  }

  private func history(of orders: [OnsidePurchase], bundleIdentifier: String, at now: Double) -> JSONValue {
    let fetchedAt = Self.date(now)
    return [
      "transactions": .array(
        orders.map { Self.transaction($0, bundleIdentifier: bundleIdentifier, fetchedAt: fetchedAt) })
    ]
  }

  private static func transaction(
    _ order: OnsidePurchase,
    bundleIdentifier: String,
    fetchedAt: JSONValue
  ) -> JSONValue {
    func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
    return [
      "app_account_token": text(order.appAccountToken),
      "bundle_id": .string(bundleIdentifier),
      "currency": .string(order.price.currencyCode),
      "expires_at": order.expiresAt.map(date) ?? .null,
      "fetched_at": fetchedAt,
      "order_id": .string(order.id),
      "original_order_id": .string(order.originalID),
      "original_purchase_date": date(order.originalPurchasedAt),
      "price": .number(Double(order.price.minorUnits ?? 0)),
      "product_id": .string(order.productIdentifier),
      // The console calls the SDK's identifier the slug. A catalogue has only this one.
      "product_slug": .string(order.productIdentifier),
      "product_type": .string(order.type.historyName),
      "purchase_date": date(order.purchasedAt),
      "quantity": 1,
      "revocation_date": order.revokedAt.map(date) ?? .null,
      "revocation_reason": text(order.revocationReason),
      "subscription_id": text(order.groupIdentifier),
      "transaction_reason": .string(order.reason.rawValue),
      "user_country": .string(order.countryCode),
    ]
  }

  /// An RFC 3339 date in UTC, in whole seconds.
  private static func date(_ milliseconds: Double) -> JSONValue {
    let date = Date(timeIntervalSince1970: (milliseconds / 1000).rounded(.down))
    return .string(date.formatted(.iso8601))
  }
}

extension CatalogueProductType {
  /// The value of `product_type` in a history. Only `NON_CONSUMABLE` is documented; the others follow its pattern.
  var historyName: String {
    switch self {
    case .consumable: "CONSUMABLE"
    case .nonConsumable: "NON_CONSUMABLE"
    case .nonRenewingSubscription: "NON_RENEWING_SUBSCRIPTION"
    case .recurringSubscription: "AUTO_RENEWABLE_SUBSCRIPTION"
    }
  }
}

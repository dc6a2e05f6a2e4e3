package import BridgeCore

extension OnsidePurchase {
  /// Apple's name for a store on the developer's machine, the value of `environment`.
  package static let storeKitEnvironment: JSONValue = "LocalTesting"

  /// The order as `JWSTransactionDecodedPayload` of the App Store Server API. `isShared` says whether another member of the family has
  /// bought it.
  package func storeKitPayload(isShared: Bool, bundleIdentifier: String, at now: Double) -> JSONValue {
    func time(_ milliseconds: Double) -> JSONValue { .number(milliseconds.rounded(.down)) }
    var members: [String: JSONValue] = [
      "transactionId": .string(id), "originalTransactionId": .string(originalID),
      "bundleId": .string(bundleIdentifier), "productId": .string(productIdentifier),
      "type": .string(type.storeKitName), "quantity": 1,
      "inAppOwnershipType": isShared ? "FAMILY_SHARED" : "PURCHASED",
      "purchaseDate": time(purchasedAt), "originalPurchaseDate": time(originalPurchasedAt), "signedDate": time(now),
      "environment": Self.storeKitEnvironment, "transactionReason": .string(reason.rawValue),
      "storefront": .string(Territory(code: countryCode)?.alpha3 ?? countryCode),
      "price": .number((price.doubleValue * 1000).rounded()), "currency": .string(price.currencyCode),
    ]
    members["subscriptionGroupIdentifier"] = groupIdentifier.map { .string($0) }
    members["appAccountToken"] = appAccountToken.map { .string($0) }
    members["expiresDate"] = expiresAt.map(time)
    members["revocationDate"] = revokedAt.map(time)
    if revokedAt != nil { members["revocationReason"] = 0 }
    return .object(members)
  }
}

extension CatalogueProductType {
  /// The `type` of a transaction in the App Store Server API.
  fileprivate var storeKitName: String {
    switch self {
    case .consumable: "Consumable"
    case .nonConsumable: "Non-Consumable"
    case .nonRenewingSubscription: "Non-Renewing Subscription"
    case .recurringSubscription: "Auto-Renewable Subscription"
    }
  }
}

package import BridgeCore
package import BridgeRuntime

/// An order of an account: a purchase, or one renewal of a subscription.
package struct InAppTransaction: Sendable, Hashable {
  /// The order's id.
  package var id: String
  /// The id of the first order of a subscription, or of the order itself.
  package var originalID: String
  /// The product.
  package var productID: String
  /// The product's kind.
  package var kind: InAppProduct.Kind
  /// What was paid.
  package var price: InAppPrice
  /// Where it was bought, ISO 3166-1 alpha-2.
  package var country: String
  /// The token that the app gave when it bought.
  package var appAccountToken: String?
  /// Whether a subscription has renewed, and nobody has bought anything.
  package var isRenewal: Bool
  /// Whether another member of the family has bought it.
  package var isShared: Bool
  /// Whether the app has finished it.
  package var isFinished: Bool
  /// When it was bought or renewed.
  package var purchasedAt: BridgeInstant
  /// When the first order of the subscription was placed.
  package var originalPurchasedAt: BridgeInstant
  /// When the paid period ends; nil if the product is no subscription that renews.
  package var expiresAt: BridgeInstant?
  /// When it was refunded.
  package var revokedAt: BridgeInstant?
  /// Why it was refunded.
  package var revocationReason: String?
  /// The subscription of which it is the latest order; nil for none.
  package var subscription: Subscription?

  /// The state of a subscription.
  package struct Subscription: Sendable, Hashable {
    /// The group.
    package var group: String
    /// Whether it is active: its period has not ended, or it is in its grace period.
    package var isActive: Bool
    /// Whether it renews when its period ends.
    package var renews: Bool
    /// The product from the next renewal on, if that changes.
    package var nextProductID: String?
    /// Whether its renewal has failed and the store tries again.
    package var isInBillingRetry: Bool
    /// When the grace period of a failed renewal ends; nil if there is none.
    package var graceEndsAt: BridgeInstant?
    /// How the present period is paid, if by an offer.
    package var offerMode: InAppOffer.Mode?
    /// Whether that is the introductory offer.
    package var isIntroductory: Bool
    /// The identifier of a promotional or win-back offer.
    package var offerID: String?

    package init(
      group: String, isActive: Bool, renews: Bool, nextProductID: String?, isInBillingRetry: Bool,
      graceEndsAt: BridgeInstant?, offerMode: InAppOffer.Mode?, isIntroductory: Bool, offerID: String?
    ) {
      self.group = group
      self.isActive = isActive
      self.renews = renews
      self.nextProductID = nextProductID
      self.isInBillingRetry = isInBillingRetry
      self.graceEndsAt = graceEndsAt
      self.offerMode = offerMode
      self.isIntroductory = isIntroductory
      self.offerID = offerID
    }
  }

  package init(
    id: String, originalID: String, productID: String, kind: InAppProduct.Kind, price: InAppPrice, country: String,
    appAccountToken: String?, isRenewal: Bool, isShared: Bool, isFinished: Bool, purchasedAt: BridgeInstant,
    originalPurchasedAt: BridgeInstant, expiresAt: BridgeInstant?, revokedAt: BridgeInstant?,
    revocationReason: String?, subscription: Subscription?
  ) {
    self.id = id
    self.originalID = originalID
    self.productID = productID
    self.kind = kind
    self.price = price
    self.country = country
    self.appAccountToken = appAccountToken
    self.isRenewal = isRenewal
    self.isShared = isShared
    self.isFinished = isFinished
    self.purchasedAt = purchasedAt
    self.originalPurchasedAt = originalPurchasedAt
    self.expiresAt = expiresAt
    self.revokedAt = revokedAt
    self.revocationReason = revocationReason
    self.subscription = subscription
  }

  /// The transaction as handlers and answers get it.
  package var json: JSONValue { .object(members) }

  /// The members of ``json``.
  package var members: [String: JSONValue] {
    func time(_ instant: BridgeInstant?) -> JSONValue { instant.map { .string($0.rfc3339) } ?? .null }
    func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
    var members: [String: JSONValue] = [
      "id": .string(id), "originalId": .string(originalID), "product": .string(productID),
      "type": .string(kind.rawValue), "price": price.json, "countryCode": .string(country),
      "appAccountToken": text(appAccountToken), "reason": isRenewal ? "RENEWAL" : "PURCHASE",
      "familyShared": .bool(isShared), "finished": .bool(isFinished), "purchasedAt": time(purchasedAt),
      "originalPurchasedAt": time(originalPurchasedAt), "expiresAt": time(expiresAt), "revokedAt": time(revokedAt),
      "revocationReason": text(revocationReason),
    ]
    if let subscription {
      members["subscription"] = [
        "group": .string(subscription.group), "active": .bool(subscription.isActive),
        "renewsAutomatically": .bool(subscription.renews), "nextProduct": text(subscription.nextProductID),
        "inBillingRetry": .bool(subscription.isInBillingRetry), "graceEndsAt": time(subscription.graceEndsAt),
        "offer": subscription.offerMode.map {
          ["id": text(subscription.offerID), "mode": .string($0.rawValue)]
        } ?? .null,
      ]
    }
    return members
  }
}

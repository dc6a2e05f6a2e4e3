/// A completed order of an account: a purchase, or one renewal of a subscription.
public struct OnsidePurchase: Sendable, Hashable, Identifiable, Codable {
  /// Why the order exists.
  public enum Reason: String, Sendable, Codable {
    /// The person bought the product.
    case purchase = "PURCHASE"
    /// The subscription renewed.
    case renewal = "RENEWAL"
  }

  /// The order's id, a UUID: the `transactionIdentifier` of its transaction.
  public let id: String
  /// The id of the first order of a subscription, or of the order itself.
  public let originalID: String
  /// The account that bought.
  public let accountID: String
  /// What was bought.
  public let productIdentifier: String
  /// The product's kind.
  public let type: CatalogueProductType
  /// The group of a subscription.
  public let groupIdentifier: String?
  /// What was paid.
  public let price: OnsidePrice
  /// Where it was bought, ISO 3166-1 alpha-2.
  public let countryCode: String
  /// The token that the app passed to `purchase`.
  public private(set) var appAccountToken: String?
  /// Why the order exists.
  public let reason: Reason
  /// When it was bought or renewed, in milliseconds since the Unix epoch.
  public let purchasedAt: Double
  /// When the first order of the subscription was placed, in milliseconds since the Unix epoch.
  public let originalPurchasedAt: Double
  /// When the paid period of a subscription ends, in milliseconds since the Unix epoch; nil if it is not a subscription.
  public internal(set) var expiresAt: Double?
  /// When the order was refunded, in milliseconds since the Unix epoch.
  public internal(set) var revokedAt: Double?
  /// Why it was refunded.
  public internal(set) var revocationReason: String?

  /// The order as other members of the family get it.
  var withoutToken: OnsidePurchase {
    var order = self
    order.appAccountToken = nil
    return order
  }
}

/// A subscription of an account that renews until it is cancelled. An account has at most one for each group.
public struct OnsideSubscription: Sendable, Hashable, Codable {
  /// The account that holds it.
  public let accountID: String
  /// Its group.
  public let groupIdentifier: String
  /// The product of the current period.
  public internal(set) var productIdentifier: String
  /// The order of the current period.
  public internal(set) var orderID: String
  /// The product from the next renewal on, after a change to a lower level.
  public internal(set) var nextProductIdentifier: String?
  /// Whether it renews when the period ends.
  public internal(set) var renewsAutomatically = true
  /// How many more periods cost the price of an offer.
  public internal(set) var introductoryPeriodsLeft = 0
  /// The promotional or win-back offer that the subscription began with; nil for the introductory one, or for none.
  public internal(set) var offerID: String?
  /// What the current order pays for, if it is not one period of the product.
  public internal(set) var offerLength: OnsideOfferLength?
  /// A time on the day of the month on which it renews, in milliseconds since the Unix epoch: a month that is too short for this day does not
  /// change the later ones. Nil for the day on which the current period began.
  public internal(set) var anchoredAt: Double?
  /// The higher price that needs the person's consent, or had it.
  public internal(set) var priceIncrease: OnsidePriceIncrease?
  /// Whether a renewal failed and is being retried.
  public internal(set) var isInBillingRetry = false
  /// How often the chain of orders has renewed; nil if an older store has not counted.
  var renewals: Int?

  /// Whether the next renewal costs the price of an offer.
  package var renewsAtReducedPrice: Bool { introductoryPeriodsLeft > 0 && nextProductIdentifier == nil }

  /// Whether the next renewal costs a higher price that the person has not agreed to. One that has failed was due before the increase.
  var needsConsent: Bool {
    guard nextProductIdentifier == nil, !renewsAtReducedPrice, let priceIncrease else { return false }
    return priceIncrease.status == .pending ? !isInBillingRetry : priceIncrease.endsSubscription
  }
}

/// How much time one order of an offer pays for: several periods if it was paid up front.
public struct OnsideOfferLength: Sendable, Hashable, Codable {
  /// The length of one period.
  public let period: OnsidePeriod
  /// How many periods the order pays for.
  public let numberOfPeriods: Int

  /// The length of the first order of an offer. With "pay as you go", each period is a separate order. Otherwise, the first order covers all
  /// periods.
  init(_ offer: CatalogueOffer) {
    period = offer.period
    numberOfPeriods = offer.paymentMode == .payAsYouGo ? 1 : offer.numberOfPeriods
  }
}

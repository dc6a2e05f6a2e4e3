/// A product as a products request returns it, localised and priced for one region (bridge reference, "JSProduct").
public struct OnsideProduct: Sendable, Hashable, Codable {
  /// The identifier under which the product is sold.
  public let productIdentifier: String
  /// Its name in the region's language.
  public let localizedTitle: String
  /// What it is, in the region's language.
  public let localizedDescription: String
  /// The address of its icon, if it has one.
  public let iconURL: String?
  /// The group of a subscription; nil for other products.
  public let subscriptionGroupIdentifier: String?
  /// The period of a subscription. A product is a subscription if and only if it has one.
  public let subscriptionPeriod: OnsidePeriod?
  /// The price, per period for a subscription.
  public let price: OnsidePrice
  /// The price for new subscribers.
  public let introductoryPrice: OnsidePricePeriod?
  /// A promotional price.
  public let discountedPrice: OnsidePricePeriod?

  /// Creates a product.
  public init(
    productIdentifier: String,
    localizedTitle: String,
    localizedDescription: String,
    iconURL: String? = nil,
    subscriptionGroupIdentifier: String? = nil,
    subscriptionPeriod: OnsidePeriod? = nil,
    price: OnsidePrice,
    introductoryPrice: OnsidePricePeriod? = nil,
    discountedPrice: OnsidePricePeriod? = nil
  ) {
    self.productIdentifier = productIdentifier
    self.localizedTitle = localizedTitle
    self.localizedDescription = localizedDescription
    self.iconURL = iconURL
    self.subscriptionGroupIdentifier = subscriptionGroupIdentifier
    self.subscriptionPeriod = subscriptionPeriod
    self.price = price
    self.introductoryPrice = introductoryPrice
    self.discountedPrice = discountedPrice
  }
}

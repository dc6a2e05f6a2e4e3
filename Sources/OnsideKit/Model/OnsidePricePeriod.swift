/// A price that is valid for a period: an introductory or a discounted one (bridge reference, "JSPricePeriod").
public struct OnsidePricePeriod: Sendable, Hashable, Codable {
  /// The price.
  public let price: OnsidePrice
  /// How long it is valid.
  public let period: OnsidePeriod

  /// Creates a price for a period.
  public init(price: OnsidePrice, period: OnsidePeriod) {
    self.price = price
    self.period = period
  }
}

public import Essentials

/// What is different about a product in one country.
public struct OnsideRegionalTerms: Sendable, Hashable {
  /// Whether the product is sold there.
  public var isAvailable: Bool
  /// The price in major units; nil leaves the catalogue's number.
  public var price: Decimal?
  /// The ISO 4217 code; nil is the country's currency.
  public var currencyCode: String?

  /// Creates terms; without arguments they change nothing.
  public init(isAvailable: Bool = true, price: Decimal? = nil, currencyCode: String? = nil) {
    self.isAvailable = isAvailable
    self.price = price
    self.currencyCode = currencyCode
  }
}

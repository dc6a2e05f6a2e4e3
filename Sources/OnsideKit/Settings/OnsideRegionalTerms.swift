public import Essentials

/// The terms of a product that differ in one country.
public struct OnsideRegionalTerms: Sendable, Hashable {
  /// Whether the product is sold there.
  public var isAvailable: Bool
  /// The price in major units; nil uses the catalogue's number.
  public var price: Decimal?
  /// The ISO 4217 code; nil uses the country's currency.
  public var currencyCode: String?

  /// Creates terms. Without arguments, they change nothing.
  public init(isAvailable: Bool = true, price: Decimal? = nil, currencyCode: String? = nil) {
    self.isAvailable = isAvailable
    self.price = price
    self.currencyCode = currencyCode
  }
}

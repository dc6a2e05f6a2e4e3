/// For which country each product was loaded (L09, L18). Pure.
struct LoadedPrices {
  /// The maximum number of products that are remembered.
  static let limit = 2_000

  private var countries: [String: String] = [:]
  /// What was loaded last.
  private var latest: (products: [String], countryCode: String) = ([], "")

  /// A page loads products at the prices of a country.
  mutating func loaded(_ products: [String], in countryCode: String) {
    // Pages load the same products again. Without this, "loadProducts, twenty products" takes a fifth more instructions.
    if latest == (products, countryCode) { return }
    latest = (products, countryCode)
    for product in products where countries[product] != nil || countries.count < Self.limit {
      countries[product] = countryCode
    }
  }

  /// The country for which a product was loaded last; nil if it was not, or is not remembered.
  subscript(product: String) -> String? { countries[product] }

  /// Whether any product was loaded for another country.
  func hasOther(than countryCode: String) -> Bool { countries.values.contains { $0 != countryCode } }
}

/// What is for sale: the products of a `.storekit` file.
public struct Catalogue: Sendable {
  /// Every product, subscriptions last, in the file's order.
  public let products: [CatalogueProduct]
  private let byIdentifier: [String: CatalogueProduct]

  /// A catalogue that sells nothing.
  public init() {
    self.init(products: [])
  }

  /// Creates a catalogue. If two products have the same identifier, the first one wins. (The reader of `.storekit` files rejects such a
  /// file.)
  public init(products: [CatalogueProduct]) {
    self.products = products
    byIdentifier = Dictionary(products.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The product with this identifier.
  public subscript(productIdentifier: String) -> CatalogueProduct? { byIdentifier[productIdentifier] }
}

extension OnsideLaunch {
  /// The products with these identifiers in the current region, or the error that a test has set.
  func loadProducts(_ identifiers: Set<String>) -> Result<OnsideProductsResponse, OnsideProductsRequestError> {
    if let error = takeError(of: .loadProducts, as: OnsideProductsRequestError.self) { return .failure(error) }
    let territory = territory
    let products = configuration.catalogue.products.compactMap { product in
      identifiers.contains(product.id)
        ? configuration.product(product.id, in: territory, locale: state.settings.locale) : nil
    }
    let invalid = identifiers.subtracting(products.map(\.productIdentifier))
    return .success(OnsideProductsResponse(products: products, invalidProductIdentifiers: invalid))
  }

  /// The products as pages receive them in the current region, and the identifiers that are not sold there.
  func pricedProducts(_ identifiers: [String]) -> (found: [PricedProducts.Entry], invalid: [String]) {
    pricedProducts.find(identifiers, of: configuration, in: territory, locale: state.settings.locale)
  }

  /// Notes that pages have loaded products, so that `purchase` finds them.
  func noteLoaded(_ products: [PricedProducts.Entry]) {
    guard products.contains(where: { !$0.isLoaded }) else { return }
    var loaded = state.launch.loadedProducts
    for entry in products {
      loaded[entry.product.productIdentifier] = entry.product
      entry.isLoaded = true
    }
    state.launch.loadedProducts = loaded
  }
}

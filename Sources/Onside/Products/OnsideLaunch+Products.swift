extension OnsideLaunch {
  /// The products with these identifiers in the present region, or the error that was set on purpose.
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
}

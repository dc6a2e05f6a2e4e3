package import BridgeCore
import BridgeRuntime

/// What an observer of pages, such as the linter, reads of a launch.
extension Onside {
  /// Whether `purchase` finds the product: a page has loaded it in this launch.
  package func hasLoaded(product identifier: String) -> Bool { state.launch.loadedProducts[identifier] != nil }

  /// The country whose prices `loadProducts` returns now, ISO 3166-1 alpha-2.
  package var priceCountryCode: String { launch.territory.alpha2 }
}

extension QueuedTransaction {
  /// Whether it has ended, its observers know, and the app has not finished it.
  package var isLeftUnfinished: Bool { stage == .ended && !needsAnnouncement }
}

/// What the store sells in one country, for tests.
package struct OnsideOffering: Sendable {
  /// The country (ISO 3166-1 alpha-2).
  package let countryCode: String
  /// The products, each as its kind and as pages of the app get it, in the order of the catalogue.
  package let products: [(type: CatalogueProductType, product: JSONValue)]
  /// The identifiers of the products that are not sold there.
  package let unavailable: [String]
}

extension Onside {
  /// Returns what is sold in a country.
  ///
  /// - Parameter code: An ISO 3166 code; nil for the country for which pages get products now.
  /// - Returns: Nil if there is no such country.
  package func offering(in code: String? = nil) -> OnsideOffering? {
    guard let territory = code.map({ Territory(code: $0) }) ?? launch.territory else { return nil }
    var products: [(type: CatalogueProductType, product: JSONValue)] = []
    var unavailable: [String] = []
    for entry in launch.configuration.catalogue.products {
      if let product = launch.product(entry.id, in: territory.alpha2) {
        products.append((entry.type, product.json))
      } else {
        unavailable.append(entry.id)
      }
    }
    return OnsideOffering(countryCode: territory.alpha2, products: products, unavailable: unavailable)
  }
}

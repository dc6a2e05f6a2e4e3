public import Foundation

/// A product of the catalogue, before it is priced and localised for a region.
public struct CatalogueProduct: Sendable, Hashable, Identifiable {
  /// The product identifier.
  public let id: String
  /// Its kind.
  public let type: CatalogueProductType
  /// The price in major units; the file names no currency, the region does.
  public let price: Decimal
  /// The name for the team, not for customers.
  public let referenceName: String?
  /// The file's own id of the product.
  public let internalID: String?
  /// The texts, in the file's order.
  public let localizations: [CatalogueLocalization]
  /// What only recurring subscriptions have.
  public let subscription: CatalogueSubscription?

  /// The texts for a region: those of the region itself, else of its languages, else of `fallbackLocale`, else of its language, else
  /// the first there are.
  ///
  /// - Parameters:
  ///   - territory: The region, or nil when none is known.
  ///   - fallbackLocale: The catalogue's locale, such as `en_US`.
  public func localization(for territory: Territory?, fallbackLocale: String) -> CatalogueLocalization? {
    let fallback = CatalogueLocalization(locale: fallbackLocale, displayName: "", description: "")
    if let territory {
      for language in territory.languages {
        let candidates = localizations.filter { $0.language == language }
        if let match = candidates.first(where: { $0.region == territory.alpha2 }) ?? candidates.first { return match }
      }
    }
    return localizations.first { $0.language == fallback.language && $0.region == fallback.region }
      ?? localizations.first { $0.language == fallback.language }
      ?? localizations.first
  }
}

public import Essentials

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

/// A product of the catalogue, before it is priced and localised for a region.
public struct CatalogueProduct: Sendable, Hashable, Identifiable {
  /// The product identifier.
  public let id: String
  /// Its kind.
  public let type: CatalogueProductType
  /// The price in major units. The file names no currency; the region decides it.
  public let price: Decimal
  /// The name for the team, not for customers.
  public let referenceName: String?
  /// The file's own id of the product.
  public let internalID: String?
  /// The texts, in the file's order.
  public let localizations: [CatalogueLocalization]
  /// The terms of a recurring subscription; nil for other products.
  public let subscription: CatalogueSubscription?
  /// Whether the members of a family have it once one of them has bought it.
  public var isFamilyShareable = false

  /// The texts for a region. Tries in turn: the region's own texts, its languages, `fallbackLocale`, the language of `fallbackLocale`, the
  /// first texts.
  ///
  /// - Parameters:
  ///   - territory: The region, or nil if it is unknown.
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

/// The kind of a product; the raw value is that of a `.storekit` file's `type`.
public enum CatalogueProductType: String, Sendable, Codable, CaseIterable {
  /// Can be used up and bought again.
  case consumable = "Consumable"
  /// Bought once and restored forever.
  case nonConsumable = "NonConsumable"
  /// A subscription that does not renew.
  case nonRenewingSubscription = "NonRenewingSubscription"
  /// A subscription that renews until it is cancelled.
  case recurringSubscription = "RecurringSubscription"
}

/// A product's texts in one language.
public struct CatalogueLocalization: Sendable, Hashable {
  /// The locale's identifier, such as `en_US`.
  public let locale: String
  /// The product's name.
  public let displayName: String
  /// What the product is.
  public let description: String

  /// The language subtag of ``locale``, lower-case.
  var language: String { String(locale.prefix { $0 != "_" && $0 != "-" }).lowercased() }

  /// The region subtag of ``locale``, upper-case, if it has one.
  var region: String? {
    let subtags = locale.split(whereSeparator: { $0 == "_" || $0 == "-" }).dropFirst()
    return subtags.first { $0.count == 2 }.map { $0.uppercased() }
  }
}

/// The terms of a recurring subscription.
public struct CatalogueSubscription: Sendable, Hashable {
  /// The id of the group. An account holds at most one subscription of a group at a time.
  public let groupIdentifier: String
  /// The level within the group; 1 is the highest. Moving to a lower number is an upgrade.
  public let groupNumber: Int
  /// How long the subscription lasts before it renews.
  public let period: OnsidePeriod
  /// The offer for new subscribers of the group.
  public let introductoryOffer: CatalogueOffer?
  /// Offers for present and former subscribers, in the file's order.
  public let promotionalOffers: [CatalogueOffer]
  /// Offers for former subscribers, in the file's order.
  public let winBackOffers: [CatalogueOffer]

  /// The offer with this id; with nil, the introductory one.
  func offer(_ id: String?) -> CatalogueOffer? {
    guard let id else { return introductoryOffer }
    return (promotionalOffers + winBackOffers).first { $0.offerID == id }
  }
}

/// A reduced price of a subscription.
public struct CatalogueOffer: Sendable, Hashable {
  /// How the reduced price is paid; the raw value is that of a `.storekit` file's `paymentMode`.
  public enum PaymentMode: String, Sendable, CaseIterable {
    /// Free of charge.
    case free
    /// Pays the price for each of ``CatalogueOffer/numberOfPeriods`` periods.
    case payAsYouGo
    /// Pays the price once, for the whole offer.
    case payUpFront
  }

  /// The identifier of a promotional or win-back offer; an introductory offer has none.
  public let offerID: String?
  /// How it is paid.
  public let paymentMode: PaymentMode
  /// The price per period in major units; zero for a free offer.
  public let price: Decimal
  /// The length of one period.
  public let period: OnsidePeriod
  /// How many periods the offer lasts; at least 1.
  public let numberOfPeriods: Int

  /// How long the offer lasts in all.
  public var duration: OnsidePeriod { period.times(numberOfPeriods) ?? period }
}

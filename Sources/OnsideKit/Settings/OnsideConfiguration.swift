/// What a session's app and store are: the catalogue and what `footbridge.yaml` adds to it. It does not change during a launch.
public struct OnsideConfiguration: Sendable {
  /// The products.
  public var catalogue: Catalogue
  /// The settings with which a new session starts.
  public var settings: OnsideSettings
  /// The accounts that can sign in; when there are none, the built-in one.
  public var accounts: [OnsideAccount]
  /// What is different in single countries: by product identifier, then by alpha-2 code.
  public var regionalTerms: [String: [String: OnsideRegionalTerms]]
  /// Where icons are, by product identifier.
  public var iconURLs: [String: String]
  /// The system region, ISO 3166-1 alpha-2; nil leaves it to the settings' storefront.
  public var systemRegion: String?
  /// The ways to sign in.
  public var loginMethods: [OnsideLoginMethod]
  /// The ways to pay that the payment-methods sheet lists.
  public var paymentMethods: [OnsidePaymentMethod]
  /// The app's bundle identifier, for the signed history.
  public var bundleIdentifier: String
  /// How much pages may have the store keep.
  public var limits = OnsideLimits()

  /// Creates a configuration; what is left out is usual.
  public init(
    catalogue: Catalogue = Catalogue(),
    settings: OnsideSettings = OnsideSettings(),
    accounts: [OnsideAccount] = [],
    regionalTerms: [String: [String: OnsideRegionalTerms]] = [:],
    iconURLs: [String: String] = [:],
    systemRegion: String? = nil,
    loginMethods: [OnsideLoginMethod] = OnsideLoginMethod.standard,
    paymentMethods: [OnsidePaymentMethod] = OnsidePaymentMethod.standard,
    bundleIdentifier: String = "com.example.app"
  ) {
    self.catalogue = catalogue
    self.settings = settings
    self.accounts = accounts
    self.regionalTerms = regionalTerms
    self.iconURLs = iconURLs
    self.systemRegion = systemRegion
    self.loginMethods = loginMethods
    self.paymentMethods = paymentMethods
    self.bundleIdentifier = bundleIdentifier
  }

  /// Creates a configuration from a `.storekit` file.
  public init(_ storeKit: StoreKitConfiguration) {
    self.init(catalogue: storeKit.catalogue, settings: OnsideSettings(storeKit.settings))
  }

  /// The identifier of the built-in account.
  public static let builtInAccountID = "built-in"

  /// The accounts that can sign in, in the countries in which they start: the built-in one, in `storefront`, when there are no others.
  public func startingAccounts(storefront: String) -> [OnsideAccount] {
    if !accounts.isEmpty { return accounts }
    return [
      OnsideAccount(
        id: Self.builtInAccountID,
        name: "Robin Example",
        email: "robin@example.com",
        countryCode: (Territory(code: storefront) ?? Territory.unitedStates).alpha2
      )
    ]
  }

  /// The ids of the accounts that can sign in.
  public var accountIDs: [String] { Self.accountIDs(of: accounts) }

  /// The ids of the accounts that can sign in where `accounts` are configured: without any, the built-in one.
  public static func accountIDs(of accounts: [OnsideAccount]) -> [String] {
    accounts.isEmpty ? [builtInAccountID] : accounts.map(\.id)
  }

  /// Whether a product is known and sold in the country of this ISO 3166 code.
  public func sells(_ productIdentifier: String, in countryCode: String) -> Bool {
    guard let territory = Territory(code: countryCode) else { return false }
    return product(productIdentifier, in: territory, locale: settings.locale) != nil
  }

  /// The product as it is sold in `territory`, or nil when it is not known or not sold there.
  func product(_ identifier: String, in territory: Territory, locale: String) -> OnsideProduct? {
    guard let product = catalogue[identifier] else { return nil }
    let terms = regionalTerms[identifier]?[territory.alpha2] ?? OnsideRegionalTerms()
    guard terms.isAvailable else { return nil }
    let currencyCode = terms.currencyCode ?? territory.currencyCode
    func pricePeriod(_ offer: CatalogueOffer?) -> OnsidePricePeriod? {
      offer.map {
        OnsidePricePeriod(price: OnsidePrice(value: $0.price, currencyCode: currencyCode), period: $0.period)
      }
    }
    let texts = product.localization(for: territory, fallbackLocale: locale)
    return OnsideProduct(
      productIdentifier: identifier,
      localizedTitle: texts?.displayName ?? product.referenceName ?? identifier,
      localizedDescription: texts?.description ?? "",
      iconURL: iconURLs[identifier],
      subscriptionGroupIdentifier: product.subscription?.groupIdentifier,
      subscriptionPeriod: product.subscription?.period,
      price: OnsidePrice(value: terms.price ?? product.price, currencyCode: currencyCode),
      introductoryPrice: pricePeriod(product.subscription?.introductoryOffer),
      discountedPrice: pricePeriod(product.subscription?.promotionalOffers.first)
    )
  }
}

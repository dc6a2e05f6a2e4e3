/// The configuration of an app and its store: the catalogue and the settings of `footbridge.yaml`. It does not change during a launch.
///
/// ```swift
/// var configuration = OnsideConfiguration(try StoreKitConfiguration(data: file))
/// configuration.accounts = [OnsideAccount(id: "ana", name: "Ana", email: "ana@example.com", countryCode: "ES")]
/// ```
public struct OnsideConfiguration: Sendable {
  /// The products.
  public var catalogue: Catalogue
  /// The settings with which a new session starts.
  public var settings: OnsideSettings
  /// The accounts that can sign in. If empty, there is a built-in account.
  public var accounts: [OnsideAccount]
  /// The terms that differ in single countries, by product identifier and alpha-2 code.
  public var regionalTerms: [String: [String: OnsideRegionalTerms]]
  /// The addresses of icons, by product identifier.
  public var iconURLs: [String: String]
  /// The system region, ISO 3166-1 alpha-2. Nil uses the storefront of the settings.
  public var systemRegion: String?
  /// The ways to sign in.
  public var loginMethods: [OnsideLoginMethod]
  /// The ways to pay that the payment-methods sheet lists.
  public var paymentMethods: [OnsidePaymentMethod]
  /// The app's bundle identifier, for the signed history.
  public var bundleIdentifier: String
  /// How much pages may add to the store.
  public var limits = OnsideLimits()
  /// How long the store's servers take to answer at least, in real time, also if the session's clock stands still: products, restores, the
  /// history, payments without a sheet, and sheets that nobody is asked about. What a page sends in the same turn is known before.
  public var roundTrip = Duration.milliseconds(50)

  /// Creates a configuration. Omitted values are the defaults.
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

  /// The accounts that can sign in, in the countries in which they start. If none are configured, the built-in account in `storefront`.
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

  /// The ids of the accounts that can sign in if `accounts` are configured. If there are none, the id of the built-in account.
  public static func accountIDs(of accounts: [OnsideAccount]) -> [String] {
    accounts.isEmpty ? [builtInAccountID] : accounts.map(\.id)
  }

  /// Whether a product exists and is sold in this country (ISO 3166 code).
  public func sells(_ productIdentifier: String, in countryCode: String) -> Bool {
    guard let territory = Territory(code: countryCode) else { return false }
    return product(productIdentifier, in: territory, locale: settings.locale) != nil
  }

  /// The product as it is sold in `territory`, or nil if it is unknown or not sold there.
  func product(_ identifier: String, in territory: Territory, locale: String) -> OnsideProduct? {
    guard let product = catalogue[identifier] else { return nil }
    let terms = regionalTerms[identifier]?[territory.alpha2] ?? OnsideRegionalTerms()
    guard terms.isAvailable else { return nil }
    let currencyCode = terms.currencyCode ?? territory.currencyCode
    // The period is how long the price is valid. The contract has no other place for the number of periods that an offer lasts.
    func pricePeriod(_ offer: CatalogueOffer?) -> OnsidePricePeriod? {
      offer.map {
        OnsidePricePeriod(price: OnsidePrice(value: $0.price, currencyCode: currencyCode), period: $0.duration)
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

/// How much a session's pages may add to the store. More is refused.
public struct OnsideLimits: Sendable, Hashable {
  /// The maximum number of unfinished transactions when a page buys.
  public var transactions = 1000
  /// The maximum number of orders of a session when a page buys.
  public var orders = 20_000

  /// The maximum length of an `appAccountToken` in bytes. Each transaction and order keeps it.
  static let tokenBytes = 4096
  /// The maximum length of the URL of a visit in bytes.
  static let urlBytes = 16_384
  /// The maximum length of a country code in bytes. No country has a longer one.
  static let countryCodeBytes = 16

  /// The default limits.
  public init() {}
}

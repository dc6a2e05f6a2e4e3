import BridgeServer
import Essentials
package import OnsideKit
package import Sessions

/// Reads the `onside` section of the YAML file. It has settings that a `.storekit` file cannot express.
package struct OnsideSection: Sendable {
  /// Whether pages have the bridge.
  private(set) var isEnabled = true
  private var accounts: [OnsideAccount] = []
  private var regionalTerms: [String: [String: OnsideRegionalTerms]] = [:]
  private var iconURLs: [String: String] = [:]
  private var placesOfProducts: [(identifier: String, place: String)] = []
  private var systemRegion: String?
  private var bundleIdentifier: String?
  private var loginMethods: [OnsideLoginMethod]?
  private var paymentMethods: [OnsidePaymentMethod]?
  private var settings = OnsideSettingsChanges()
  private var roundTrip: Duration?
  /// The credentials of the Merchant API; nil if the section has none.
  private(set) var merchant: MerchantCredentials?
  /// The name of the world that all sessions share; nil if each has its own.
  private(set) var world: String?
  /// The settings of notifications to the publisher's backend; nil if the section has none.
  private(set) var notifications: NotificationSettings?

  /// An empty section.
  init() {}

  /// Reads the section.
  init(_ node: InputNode) throws(OptionError) {
    let section = try node.section([
      "enabled", "accounts", "products", "systemRegion", "bundleIdentifier", "loginMethods", "paymentMethods",
      "settings", "calls",
      "merchant", "notifications", "roundTrip", "world",
    ])
    isEnabled = try section["enabled"]?.bool() ?? true
    let accountNodes = try section["accounts"]?.elements() ?? []
    for account in accountNodes { accounts.append(try Self.account(account)) }
    try InputNode.checkUnique("id", Array(zip(accounts.map(\.id), accountNodes)))
    for (identifier, product) in try section["products"]?.members() ?? [] {
      placesOfProducts.append((identifier, product.place))
      try read(product, identifier)
    }
    systemRegion = try section["systemRegion"]?.country()
    bundleIdentifier = try section["bundleIdentifier"]?.text()
    if let methods = section["loginMethods"] { loginMethods = try Self.loginMethods(methods) }
    if let methods = section["paymentMethods"] { paymentMethods = try Self.paymentMethods(methods) }
    if let node = section["settings"] { settings = try node.onsideSettings(withCalls: false) }
    try section["calls"]?.readOnsideCalls(into: &settings)
    roundTrip = try section["roundTrip"]?.roundTrip()
    merchant = try section["merchant"]?.merchantCredentials()
    notifications = try section["notifications"]?.notificationSettings()
    if let node = section["world"] {
      let name = try node.text()
      guard WorldName.isPossible(name) else { throw node.expected(WorldName.expectation) }
      world = name
    }
  }

  /// Applies the section to a configuration.
  package func apply(to configuration: inout OnsideConfiguration) {
    if !accounts.isEmpty { configuration.accounts = accounts }
    configuration.regionalTerms.merge(regionalTerms) { _, new in new }
    configuration.iconURLs.merge(iconURLs) { _, new in new }
    configuration.systemRegion = systemRegion ?? configuration.systemRegion
    configuration.bundleIdentifier = bundleIdentifier ?? configuration.bundleIdentifier
    configuration.loginMethods = loginMethods ?? configuration.loginMethods
    configuration.paymentMethods = paymentMethods ?? configuration.paymentMethods
    configuration.roundTrip = roundTrip ?? configuration.roundTrip
    settings.apply(to: &configuration.settings)
  }

  /// Checks that the catalogue has the products of the section. Accepts any products if the catalogue is empty.
  package func check(with catalogue: Catalogue) throws(OptionError) {
    if catalogue.products.isEmpty { return }
    for (identifier, place) in placesOfProducts {
      if let problem = catalogue.problem(with: identifier) {
        throw OptionError("\(place) must be named by a product of the catalogue. \(problem)")
      }
    }
  }

  /// The ids of the accounts that can sign in.
  var accountIDs: [String] { OnsideConfiguration.accountIDs(of: accounts) }

  private static func account(_ node: InputNode) throws(OptionError) -> OnsideAccount {
    let members = try node.section(["id", "name", "email", "country", "family"])
    guard let email = try members["email"]?.text() else { throw node.expected("an account, with at least an email") }
    return OnsideAccount(
      id: try members["id"]?.text() ?? email,
      name: try members["name"]?.text() ?? email,
      email: email,
      countryCode: try members["country"]?.country() ?? "US",
      family: try members["family"]?.text()
    )
  }

  private mutating func read(_ node: InputNode, _ identifier: String) throws(OptionError) {
    let members = try node.section(["icon", "countries"])
    iconURLs[identifier] = try members["icon"]?.text()
    var countries: [(id: String, node: InputNode)] = []
    for (code, terms) in try members["countries"]?.members() ?? [] {
      guard let territory = Territory(code: code) else {
        throw terms.expected("named by an ISO 3166 country code, such as ES")
      }
      countries.append((territory.alpha2, terms))
      let members = try terms.section(["available", "price", "currency"])
      var regional = OnsideRegionalTerms(isAvailable: try members["available"]?.bool() ?? true)
      if let price = members["price"] {
        guard let value = Decimal(priceText: try price.text()) else {
          throw price.expected(public: "a price such as 9.99")
        }
        regional.price = value
      }
      if let currency = members["currency"] {
        regional.currencyCode = try currency.text()
        guard Currency.isWellFormed(try currency.text()) else {
          throw currency.expected(public: "an ISO 4217 code such as EUR")
        }
      }
      regionalTerms[identifier, default: [:]][territory.alpha2] = regional
    }
    try InputNode.checkUnique("country", countries)
  }

  private static func loginMethods(_ node: InputNode) throws(OptionError) -> [OnsideLoginMethod] {
    var methods: [OnsideLoginMethod] = []
    for element in try node.elements() {
      let members = try element.section(["id", "label", "kind"])
      guard let id = try members["id"]?.text(), let kind = members["kind"] else {
        throw element.expected("a login method, with id and kind")
      }
      guard let kindOfMethod = OnsideLoginMethod.Kind(rawValue: try kind.text()) else {
        throw kind.expected(oneOf: OnsideLoginMethod.Kind.allCases.map(\.rawValue))
      }
      methods.append(OnsideLoginMethod(id: id, label: try members["label"]?.text() ?? id, kind: kindOfMethod))
    }
    try InputNode.checkUnique("id", Array(zip(methods.map(\.id), try node.elements())))
    return methods
  }

  private static func paymentMethods(_ node: InputNode) throws(OptionError) -> [OnsidePaymentMethod] {
    var methods: [OnsidePaymentMethod] = []
    for element in try node.elements() {
      let members = try element.section(["id", "label"])
      guard let id = try members["id"]?.text() else { throw element.expected("a payment method, with an id") }
      methods.append(OnsidePaymentMethod(id: id, label: try members["label"]?.text() ?? id))
    }
    try InputNode.checkUnique("id", Array(zip(methods.map(\.id), try node.elements())))
    return methods
  }
}

extension InputNode {
  /// Reads `onside.merchant`. Missing members get the values for development.
  fileprivate func merchantCredentials() throws(OptionError) -> MerchantCredentials {
    let members = try section(["id", "secret", "keyId", "clockSkew"])
    let standard = MerchantCredentials()
    let id = try members["id"]?.text() ?? standard.id
    let secret = try members["secret"]?.text() ?? standard.secret
    let keyID = try members["keyId"]?.text() ?? standard.keyID
    let clockSkew = try members["clockSkew"]?.integer(in: MerchantCredentials.clockSkews) ?? standard.clockSkew
    do throws(OptionError) {
      return try MerchantCredentials(id: id, secret: secret, keyID: keyID, clockSkew: clockSkew)
    } catch {
      throw OptionError("\(place): \(error.description)")
    }
  }
}

/// The `settings` of a `.storekit` file that Footbridge honours.
public struct StoreKitSettings: Sendable, Hashable {
  /// `_storefront`: the country, from an alpha-3 code.
  public var storefront: Territory?
  /// `_locale`: the locale of texts where the region has none.
  public var locale: String?
  /// `_failTransactionsEnabled`: whether every payment fails.
  public var failTransactionsEnabled = false
  /// `_askToBuyEnabled`: whether every payment waits for someone's approval.
  public var askToBuyEnabled = false
  /// `_interruptedPurchasesEnabled`: whether every payment is interrupted until someone resolves it.
  public var interruptedPurchasesEnabled = false
  /// `_disableDialogs`: whether payments go through without a sheet.
  public var disableDialogs = false
  /// `_billingGracePeriodEnabled`: whether a subscription stays active for a while after its renewal fails.
  public var billingGracePeriodEnabled = false
  /// `_renewalBillingIssuesEnabled` or, in older files, `_billingIssuesEnabled`: whether renewals fail.
  public var renewalBillingIssuesEnabled = false
  /// `_timeRate`: how fast subscriptions renew.
  public var timeRate = StoreKitTimeRate.realTime
  /// `_storeKitErrors`: the enabled ones.
  public var errors: [StoreKitSimulatedError] = []

  /// The settings of a file that sets nothing.
  public init() {}
}

/// An error that a `.storekit` file's `_storeKitErrors` switches on for one API.
public struct StoreKitSimulatedError: Sendable, Hashable {
  /// The API's name as the file has it, such as `Load Products` or `Purchase`.
  public let name: String
  /// The family of the error, such as `generic` or `purchase`; nil when the file does not say.
  public let type: String?
  /// The error's place in its family; nil when the file does not say.
  public let index: Int?
}

extension StoreKitConfiguration {
  /// Reads the settings. Adds a remark for each valid setting that has no effect here.
  static func settings(
    of node: StoreKitNode,
    remarks: inout [String]
  ) throws(StoreKitConfigurationError) -> StoreKitSettings {
    var settings = StoreKitSettings()
    guard let node = node.present else { return settings }
    func flag(_ name: String) throws(StoreKitConfigurationError) -> Bool {
      try node.member(name).optionalBool() ?? false
    }
    let storefront = try node.member("_storefront")
    if let code = try storefront.optionalString() {
      guard let territory = Territory(code: code) else {
        throw storefront.mismatch("an ISO 3166-1 alpha-3 country code such as \"NLD\"")
      }
      settings.storefront = territory
    }
    settings.locale = try node.member("_locale").optionalString()
    settings.failTransactionsEnabled = try flag("_failTransactionsEnabled")
    settings.askToBuyEnabled = try flag("_askToBuyEnabled")
    settings.interruptedPurchasesEnabled = try flag("_interruptedPurchasesEnabled")
    settings.disableDialogs = try flag("_disableDialogs")
    settings.billingGracePeriodEnabled = try flag("_billingGracePeriodEnabled")
    let newName = try flag("_renewalBillingIssuesEnabled")
    let oldName = try flag("_billingIssuesEnabled")
    settings.renewalBillingIssuesEnabled = newName || oldName
    let timeRate = try node.member("_timeRate")
    if let value = try timeRate.optionalInteger() {
      if let rate = StoreKitTimeRate(rawValue: value) {
        settings.timeRate = rate
      } else {
        remarks.append("\(timeRate.path): \(value) is not a known time rate. Subscriptions renew in real time.")
      }
    }
    settings.errors = try errors(of: node.member("_storeKitErrors"))
    return settings
  }

  private static func errors(of node: StoreKitNode) throws(StoreKitConfigurationError) -> [StoreKitSimulatedError] {
    var errors: [StoreKitSimulatedError] = []
    for element in try node.elements() {
      let name = try element.member("name").nonEmptyString()
      guard try element.member("enabled").optionalBool() ?? false else { continue }
      // How a file names the error is not documented. If the name is unknown, we choose the error.
      let current = element.value?["current"]
      errors.append(
        StoreKitSimulatedError(
          name: name,
          type: current?["type"]?.stringValue,
          index: current?["index"]?.numberValue.flatMap { Int(exactly: $0) }
        ))
    }
    return errors
  }
}

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

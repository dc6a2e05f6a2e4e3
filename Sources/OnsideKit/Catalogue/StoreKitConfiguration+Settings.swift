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

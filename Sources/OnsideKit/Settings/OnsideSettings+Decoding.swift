extension OnsideSettings {
  /// Decodes settings. What an older store lacks gets its default.
  public init(from decoder: any Decoder) throws {
    self.init()
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func read<Value: Decodable>(_ key: CodingKeys, _ value: inout Value) throws {
      value = try container.decodeIfPresent(Value.self, forKey: key) ?? value
    }
    try read(.contract, &contract)
    try read(.failTransactionsEnabled, &failTransactionsEnabled)
    try read(.askToBuyEnabled, &askToBuyEnabled)
    try read(.interruptedPurchasesEnabled, &interruptedPurchasesEnabled)
    try read(.disableDialogs, &disableDialogs)
    try read(.billingGracePeriodEnabled, &billingGracePeriodEnabled)
    try read(.renewalBillingIssuesEnabled, &renewalBillingIssuesEnabled)
    try read(.timeRate, &timeRate)
    try read(.localTesting, &localTesting)
    try read(.storefront, &storefront)
    try read(.locale, &locale)
    refererURL = try container.decodeIfPresent(String.self, forKey: .refererURL)
    for (call, behaviour) in try container.decodeIfPresent([OnsideCall: OnsideCallBehaviour].self, forKey: .calls)
      ?? [:]
    {
      try set(behaviour, for: call)
    }
  }
}

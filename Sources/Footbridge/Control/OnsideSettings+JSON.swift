import BridgeCore
import OnsideKit

extension OnsideSettings {
  /// The settings by the names that `footbridge.yaml` has for them.
  var json: JSONValue {
    let calls = OnsideCall.allCases.filter { !self[$0].isUsual }
    return [
      "failTransactions": .bool(failTransactionsEnabled),
      "askToBuy": .bool(askToBuyEnabled),
      "interruptedPurchases": .bool(interruptedPurchasesEnabled),
      "disableDialogs": .bool(disableDialogs),
      "billingGracePeriod": .bool(billingGracePeriodEnabled),
      "renewalBillingIssues": .bool(renewalBillingIssuesEnabled),
      "localTesting": .bool(localTesting),
      "timeRate": .number(Double(timeRate.rawValue)),
      "storefront": .string(storefront),
      "locale": .string(locale),
      "refererUrl": refererURL.map { .string($0) } ?? .null,
      "calls": .object(Dictionary(uniqueKeysWithValues: calls.map { ($0.rawValue, self[$0].json) })),
    ]
  }
}

extension OnsideCallBehaviour {
  fileprivate var json: JSONValue {
    ["delay": .number(Double(delayMilliseconds)), "error": error.map { .string($0) } ?? .null, "once": .bool(once)]
  }
}

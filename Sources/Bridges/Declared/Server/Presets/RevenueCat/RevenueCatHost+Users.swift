import BridgeCore
import BridgeRuntime
import Sessions

/// The calls about the user, and those that need no product.
extension RevenueCatHost {
  /// The work of a method about the user; nil if it is none.
  func userWork(of method: String) -> Work? {
    switch method {
    case "getCustomerInfo": { _ async throws(RevenueCatError) in ["customerInfo": self.information.json] }
    case "getAppUserID":
      { _ async throws(RevenueCatError) in ["appUserID": .string(self.changeCustomers { $0.current })] }
    case "isAnonymous":
      { _ async throws(RevenueCatError) in ["isAnonymous": .bool(self.changeCustomers { $0.isAnonymous })] }
    case "logIn": logIn
    case "logOut": logOut
    case "getStorefront":
      { _ async throws(RevenueCatError) in
        guard let country = self.session.store?.storefront else {
          throw RevenueCatError("Nobody is signed in at the store.")
        }
        return ["countryCode": .string(country.alpha3), "identifier": .string(country.alpha3)]
      }
    case "canMakePayments": { _ async throws(RevenueCatError) in ["canMakePayments": .bool(self.session.store != nil)] }
    case "getVirtualCurrencies": { _ async throws(RevenueCatError) in ["virtualCurrencies": ["all": [:]]] }
    case "getCachedVirtualCurrencies": { _ async throws(RevenueCatError) in ["cachedVirtualCurrencies": .null] }
    case "redeemWebPurchase": { _ async throws(RevenueCatError) in ["result": "INVALID_TOKEN"] }
    case "beginRefundRequestForActiveEntitlement", "beginRefundRequestForEntitlement", "beginRefundRequestForProduct":
      // The sheet for refunds is not played: the person dismisses it.
      { _ async throws(RevenueCatError) in ["refundRequestStatus": 1] }
    default: nil
    }
  }

  private func logIn(_ call: Call) async throws(RevenueCatError) -> JSONValue {
    let id = try call.text("appUserID")
    try check(id)
    let isNew = changeCustomers { $0.logIn(id, at: session.now.millisecondsSinceEpoch) }
    tellListeners()
    return ["customerInfo": information.json, "created": .bool(isNew)]
  }

  private func logOut(_ call: Call) async throws(RevenueCatError) -> JSONValue {
    if changeCustomers({ $0.isAnonymous }) { throw .anonymous }
    let id = newAnonymousID()
    changeCustomers { $0.logOut(anonymous: id, at: session.now.millisecondsSinceEpoch) }
    tellListeners()
    return ["customerInfo": information.json]
  }
}

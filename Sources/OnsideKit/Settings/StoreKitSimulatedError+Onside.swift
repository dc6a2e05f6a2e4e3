extension StoreKitSimulatedError {
  /// The corresponding call and error, or nil if there are none.
  ///
  /// The mapping is ours, since StoreKit's APIs and errors differ from OnsideKit's. A network error stays one; every other error becomes an
  /// internal error.
  var onsideError: (call: OnsideCall, error: String)? {
    let isNetworkError = type == "generic" && index == 0
    switch name {
    case "Load Products":
      let error = isNetworkError ? OnsideProductsRequestError.connectionError : .internalError
      return (.loadProducts, error.rawValue)
    case "Purchase":
      return (.payment, OnsidePaymentTransactionError.cancelled.rawValue)
    case "App Store Sync":
      let error = isNetworkError ? OnsideTransactionsRestoreError.connectionError : .internalError
      return (.restore, error.rawValue)
    case "Verification", "App Transaction":
      let error = isNetworkError ? OnsideSignedInAppsHistoryRequestError.connectionError : .internalError
      return (.getSignedInAppsHistory, error.rawValue)
    default:
      return nil
    }
  }
}

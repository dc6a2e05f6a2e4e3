extension StoreKitSimulatedError {
  /// The call and the error that stand for this one here, or nil where nothing corresponds.
  ///
  /// The assignment is ours: StoreKit's APIs and errors are not OnsideKit's. A network error stays one, everything else is an internal error.
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

/// An error of OnsideKit without associated values; a page receives it as `{ <case>: {} }` (bridge reference, "Error envelope shape").
public protocol OnsideError: Error, RawRepresentable, Sendable, Hashable where RawValue == String {}

/// Why a login failed (bridge reference, "OnsideLoginError").
public enum OnsideLoginError: String, OnsideError, CaseIterable, Codable {
  /// The person dismissed the login.
  case loginDiscarded
}

/// Why products could not be loaded (bridge reference, "OnsideProductsRequestError").
public enum OnsideProductsRequestError: String, OnsideError, CaseIterable, Codable {
  /// The operation was cancelled.
  case cancelled
  /// The network failed.
  case connectionError
  /// The app is not registered with Onside (HTTP 404).
  case appNotRegistered
  /// The server rejected a product identifier (HTTP 422).
  case invalidProductIdentifier
  /// The server answered with a 5xx status.
  case serviceUnavailable
  /// Any other error.
  case internalError
}

/// Why a payment did not enter the queue (purchasing guide).
public enum OnsidePaymentQueueAddProductError: String, OnsideError, CaseIterable, Codable {
  /// The person dismissed the login.
  case loginDiscarded
  /// The page refused to go on after the login (contract 1.3).
  case rejectedAfterLogin
}

/// Why a restore could not start (bridge reference, "OnsidePaymentQueueRequestRestoreError").
public enum OnsidePaymentQueueRequestRestoreError: String, OnsideError, CaseIterable, Codable {
  /// The person dismissed the login.
  case loginDiscarded
}

/// Why a restore failed (bridge reference, "OnsideTransactionsRestoreError").
public enum OnsideTransactionsRestoreError: String, OnsideError, CaseIterable, Codable {
  /// The operation was cancelled.
  case cancelled
  /// The network failed.
  case connectionError
  /// The app is not registered with Onside (HTTP 404).
  case appNotRegistered
  /// The server answered with a 5xx status.
  case serviceUnavailable
  /// Any other error.
  case internalError
}

/// Why a transaction failed (bridge reference, "OnsidePaymentTransactionError").
public enum OnsidePaymentTransactionError: String, OnsideError, CaseIterable, Codable {
  /// The operation was cancelled.
  case cancelled
  /// The native screen could not be shown (contract 1.3).
  case presentationFailed
}

/// Why the payment methods could not be shown (bridge reference, "OnsidePaymentMethodsManagerError").
public enum OnsidePaymentMethodsManagerError: String, OnsideError, CaseIterable, Codable {
  /// The person dismissed the login.
  case loginDiscarded
  /// Not available with a local-testing storefront.
  case notSupportedInLocalTesting
  /// The native screen could not be shown (contract 1.3).
  case presentationFailed
}

/// Why the attribution could not be loaded (bridge reference, "OnsideAttributionMetadataError").
public enum OnsideAttributionMetadataError: String, OnsideError, CaseIterable, Codable {
  /// The network failed.
  case connectionError
  /// The app is not registered with Onside (HTTP 404).
  case appNotRegistered
  /// The server answered with a 5xx status.
  case serviceUnavailable
  /// Any other error.
  case internalError
}

/// Why the signed history could not be loaded (bridge reference, "OnsideSignedInAppsHistoryRequestError").
public enum OnsideSignedInAppsHistoryRequestError: String, OnsideError, CaseIterable, Codable {
  /// Nobody is signed in.
  case notLoggedIn
  /// Not available with a local-testing storefront.
  case notSupportedInLocalTesting
  /// The operation was cancelled.
  case cancelled
  /// The network failed.
  case connectionError
  /// The app is not registered with Onside (HTTP 404).
  case appNotRegistered
  /// The server answered with a 5xx status.
  case serviceUnavailable
  /// Any other error.
  case internalError
}

/// Why a page's purchase did not enter the queue (bridge reference, "JSPurchaseError").
public enum JSPurchaseError: String, OnsideError, CaseIterable, Codable {
  /// The product is not among those that were loaded.
  case unknownProduct
  /// The person dismissed the login.
  case loginDiscarded
  /// The page refused to go on after the login (contract 1.3).
  case rejectedAfterLogin
}

/// Why a page could not finish a transaction (bridge reference, "JSFinishTransactionError").
public enum JSFinishTransactionError: String, OnsideError, CaseIterable, Codable {
  /// The queue has no such transaction.
  case unknownTransaction
}

/// Why an account cannot buy with an offer.
public enum OnsideOfferError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The product has no such offer. `known` are the ids of those that it has.
  case unknown(String, product: String, known: [String])
  /// The account never had a subscription of the group.
  case forSubscribers(String)
  /// The account has a subscription of the group now.
  case forFormerSubscribers(String)

  /// A sentence for people.
  public var description: String {
    switch self {
    case .unknown(let offer, let product, let known):
      "\(product) has no offer \(offer). "
        + (known.isEmpty ? "It has none with an id." : "It has: \(known.joined(separator: ", ")).")
    case .forSubscribers(let offer):
      "\(offer) is for present and former subscribers of the group. The account never subscribed, so it gets the introductory offer."
    case .forFormerSubscribers(let offer):
      "\(offer) is for former subscribers of the group. The account has a subscription now."
    }
  }
}

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

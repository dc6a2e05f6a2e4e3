import InAppPurchases
import BridgeCore
import Sessions

/// An error of Qonversion's SDK: its code is one of `QonversionErrorCode`.
struct QonversionError: Error, Hashable {
  /// The code; nil for calls that come too early.
  let code: String?
  let message: String

  init(_ code: String?, _ message: String) { (self.code, self.message) = (code, message) }

  static let notInitialized = QonversionError(nil, "The SDK is not initialized: call initialize first.")
  static let noProduct = QonversionError("ProductNotFound", "There is no such product.")

  /// The error of a call that lacks an argument.
  static let missing = QonversionError(
    "NoNecessaryDataError", "Could not find necessary arguments. Make sure you pass correct call arguments")

  /// The error for one of the store.
  init(_ error: InAppError) {
    let code =
      switch error.code {
      case .cancelled, .rejected: "PurchaseCanceled"
      case .unknownProduct: "StoreProductNotAvailable"
      case .unknownOffer, .notEligible: "PurchaseInvalid"
      case .notSignedIn, .noStore: "PaymentNotAllowed"
      case .network: "NetworkConnectionFailed"
      case .badRequest: "IncorrectRequest"
      case .unknownTransaction, .unavailable, .limit, .failed: "AppleStoreError"
      }
    self.init(code, error.description)
  }

  /// The error with which a call rejects.
  var rejection: JSONValue {
    guard let code else { return ["message": .string(message)] }
    let isOfPlugin = code == "NoNecessaryDataError"
    return [
      "message": .string(isOfPlugin ? message : "\(message) Qonversion Error Code: \(code)"), "code": .string(code),
    ]
  }

  /// The error in the result of a purchase.
  var json: JSONValue {
    [
      "code": .string(code ?? "Unknown"), "domain": "com.qonversion.io", "description": .string(message),
      "additionalMessage": "",
    ]
  }
}

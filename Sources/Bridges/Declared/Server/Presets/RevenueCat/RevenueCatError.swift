import InAppPurchases
import BridgeCore
import Sessions

/// An error of RevenueCat's SDK: its code is one of `PURCHASES_ERROR_CODE`. Calls that the plugin itself refuses have none.
struct RevenueCatError: Error, Hashable {
  /// The code; nil for none.
  let code: Int?
  let message: String

  /// Refuses a call without a code.
  init(_ message: String) { (code, self.message) = (nil, message) }

  init(code: Int, _ message: String) { (self.code, self.message) = (code, message) }

  static let notConfigured = RevenueCatError("Purchases must be configured before this call.")
  static let pending = RevenueCatError(code: 20, "The payment is pending: somebody else decides about it.")
  static let anonymous = RevenueCatError(code: 22, "logOut was called, and the present user is anonymous.")

  static func configuration(_ message: String) -> RevenueCatError {
    RevenueCatError(code: 23, "There is an issue with the configuration: \(message)")
  }

  static func notAvailable(_ message: String) -> RevenueCatError { RevenueCatError(code: 5, message) }

  /// The error of a call that needs a parameter.
  static func missing(_ parameter: String) -> RevenueCatError {
    RevenueCatError("The parameter \(parameter) is missing.")
  }

  /// The error for one of the store.
  init(_ error: InAppError) {
    let code =
      switch error.code {
      case .cancelled, .rejected: 1
      case .unknownProduct: 5
      case .unknownOffer, .notEligible: 18
      case .notSignedIn, .noStore: 3
      case .network: 10
      case .badRequest: 4
      case .unknownTransaction, .unavailable, .limit, .failed: 2
      }
    self.init(code: code, error.description)
  }

  /// The error as Capacitor's page gets it.
  var json: JSONValue {
    var members: [String: JSONValue] = ["message": .string(message)]
    members["code"] = code.map { .string(String($0)) }
    return .object(members)
  }
}

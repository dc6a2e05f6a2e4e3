import InAppPurchases
import BridgeCore
import Sessions

/// An error of Adapty's SDK: its code is one of `AdaptyError.ErrorCode`.
struct AdaptyError: Error, Hashable {
  let code: Int
  let message: String

  init(_ code: Int, _ message: String) { (self.code, self.message) = (code, message) }

  static let notActivated = AdaptyError(2002, "The SDK is not activated: call activate first.")
  static let activatedTwice = AdaptyError(3005, "The SDK is activated: activate can be called once in a launch.")

  /// The error of a request that lacks something, or has it in another form.
  static func decoding(_ member: String) -> AdaptyError {
    AdaptyError(2006, "The request has no \(member), or it has another form.")
  }

  static func wrongParameter(_ message: String) -> AdaptyError { AdaptyError(3001, message) }

  /// What has gone wrong, if the store says nothing more exact.
  enum Stage: Int {
    /// `productRequestFailed`
    case products = 1002
    /// `productPurchaseFailed`
    case purchase = 1006
    /// `refreshReceiptFailed`
    case restore = 1010
  }

  /// The error for one of the store.
  init(_ error: InAppError, in stage: Stage) {
    let code =
      switch error.code {
      case .unknownProduct: 1000
      case .unknownOffer, .notEligible: 11
      case .notSignedIn, .noStore: 1003
      case .unknownTransaction: 1030
      case .cancelled, .rejected, .network, .badRequest, .unavailable, .limit, .failed: stage.rawValue
      }
    self.init(code, error.description)
  }

  /// The error as the page gets it.
  var json: JSONValue {
    [
      "adapty_code": .number(Double(code)), "message": .string(message),
      "detail": .string("AdaptyError(\(code), \(message))"),
    ]
  }
}

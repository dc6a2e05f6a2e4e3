/// Something that a test can delay or make fail: each function of `window.onside`, and the two flows that continue after their promise has
/// resolved.
public enum OnsideCall: String, Sendable, Codable, CodingKeyRepresentable, CaseIterable {
  /// `initializeOnside`.
  case initializeOnside
  /// `setAppearance`.
  case setAppearance
  /// `setShouldForceLocalLoginMethods`.
  case setShouldForceLocalLoginMethods
  /// `setDefaultCountryCodeAssumption`.
  case setDefaultCountryCodeAssumption
  /// `trackEvent`.
  case trackEvent
  /// `requestLogin`, and the login that other calls need.
  case requestLogin
  /// `logout`.
  case logout
  /// `presentPaymentMethodsManager`.
  case presentPaymentMethodsManager
  /// `getCurrentStorefront`.
  case getCurrentStorefront
  /// `loadProducts` and native products requests.
  case loadProducts
  /// `purchase`: its promise.
  case purchase
  /// Sending the payment of a transaction, after `purchase` has resolved. The error is that of the transaction.
  case payment
  /// `restoreCompletedTransactions`: its promise.
  case restoreCompletedTransactions
  /// The restore itself, after the promise has resolved. The error goes to `onRestoreCompletedTransactionsFailedWithError`.
  case restore
  /// `getTransactions`.
  case getTransactions
  /// `finishTransaction`. The delay comes between the promise and `onTransactionsRemoved`.
  case finishTransaction
  /// `getAttributionMetadata`.
  case getAttributionMetadata
  /// `getSignedInAppsHistory`.
  case getSignedInAppsHistory

  private static let actions = Dictionary(uniqueKeysWithValues: allCases.map { ($0, "onside.\($0.rawValue)") })

  /// The action of the call's requests on the wire.
  public var action: String { Self.actions[self, default: "onside.\(rawValue)"] }

  /// The codes of bridge-level errors. Any function of `window.onside` can fail with them (contract 1.3, "PontoonBridgeError").
  public static let bridgeErrorCases = [
    "bridgeDetached", "brokenRequest", "disallowedFrame", "functionNotDefined", "invalidArguments",
    "parametersNotRepresentable", "cannotSerializeResponse",
  ].map { "bridge." + $0 }

  /// The error of a call whose effect could not be saved, for example because the disk is full. A page can do nothing about it. So it is
  /// `internalError` if the contract has it, otherwise the bridge-level `bridgeDetached`. The choice is ours.
  public var unkeptErrorCase: String {
    errorCases.contains("internalError") ? "internalError" : "bridge.bridgeDetached"
  }

  /// Whether the call applies its delay itself. For other calls, the delay comes first.
  var delaysItself: Bool {
    switch self {
    case .requestLogin, .presentPaymentMethodsManager, .loadProducts, .purchase, .payment,
      .restoreCompletedTransactions,
      .restore, .finishTransaction, .getAttributionMetadata, .getSignedInAppsHistory:
      true
    case .initializeOnside, .setAppearance, .setShouldForceLocalLoginMethods, .setDefaultCountryCodeAssumption,
      .trackEvent, .logout, .getCurrentStorefront, .getTransactions:
      false
    }
  }

  /// Errors that only contract 1.3 has, beside the bridge-level ones.
  private static let newestErrorCases: Set = ["presentationFailed", "rejectedAfterLogin", "reason"]

  /// The errors that the call can have in a contract. "docs" has no bridge-level errors, and every error of it is one of 1.3.
  public func errorCases(in contract: OnsideContract) -> [String] {
    switch contract {
    case .docs:
      errorCases.filter { !Self.newestErrorCases.contains($0) && !Self.bridgeErrorCases.contains($0) }
    case .version1_3: errorCases
    }
  }

  /// The errors of both contracts, and those that only one has, in words: `a, b; with onsideContract 1.3 also: c`.
  package var errorsInWords: String {
    let common = errorCases(in: .docs)
    let newest = errorCases.filter { !common.contains($0) }
    let contract = OnsideContract.version1_3.rawValue
    if newest.isEmpty { return common.joined(separator: ", ") }
    let more = newest.joined(separator: ", ")
    return common.isEmpty
      ? "\(more) (with onsideContract \(contract))"
      : "\(common.joined(separator: ", ")); with onsideContract \(contract) also: \(more)"
  }

  /// The errors that the call can have in one of the contracts: the cases of its error type and, if pages call it, the bridge-level ones.
  public var errorCases: [String] {
    let own: [String] =
      switch self {
      case .initializeOnside: ["reason"]
      case .requestLogin: Self.cases(OnsideLoginError.self)
      case .presentPaymentMethodsManager: Self.cases(OnsidePaymentMethodsManagerError.self)
      case .loadProducts: Self.cases(OnsideProductsRequestError.self)
      case .purchase: Self.cases(JSPurchaseError.self)
      case .payment: Self.cases(OnsidePaymentTransactionError.self)
      case .restoreCompletedTransactions: Self.cases(OnsidePaymentQueueRequestRestoreError.self)
      case .restore: Self.cases(OnsideTransactionsRestoreError.self)
      case .finishTransaction: Self.cases(JSFinishTransactionError.self)
      case .getAttributionMetadata: Self.cases(OnsideAttributionMetadataError.self)
      case .getSignedInAppsHistory: Self.cases(OnsideSignedInAppsHistoryRequestError.self)
      case .setAppearance, .setShouldForceLocalLoginMethods, .setDefaultCountryCodeAssumption, .trackEvent, .logout,
        .getCurrentStorefront, .getTransactions:
        []
      }
    return self == .payment || self == .restore ? own : own + Self.bridgeErrorCases
  }

  private static func cases<E: OnsideError & CaseIterable>(_ type: E.Type) -> [String] {
    type.allCases.map(\.rawValue)
  }
}

/// A delay and an error that a test has set for one ``OnsideCall``.
public struct OnsideCallBehaviour: Sendable, Hashable, Codable {
  /// The possible delays of a call in milliseconds: up to one hour.
  package static let delays = 0...3_600_000
  /// The delay of the call in milliseconds, at most one hour.
  public var delayMilliseconds: Int
  /// The error that it fails with, such as `connectionError`; one of ``OnsideCall/errorCases``.
  public var error: String?
  /// Whether the error occurs once. Otherwise it occurs each time until it is cleared.
  public var once: Bool

  /// Creates a behaviour. Without arguments, it is the usual one.
  public init(delayMilliseconds: Int = 0, error: String? = nil, once: Bool = false) {
    self.delayMilliseconds = min(max(delayMilliseconds, 0), Self.delays.upperBound)
    self.error = error
    self.once = once
  }

  /// Whether the call behaves as usual.
  public var isUsual: Bool { delayMilliseconds == 0 && error == nil }

  /// ``delayMilliseconds`` as a duration.
  var delay: Duration { .milliseconds(delayMilliseconds) }
}

/// The outcome that rules have decided for a flow that continues after its call was answered: a payment or a restore.
public struct OnsideOutcome: Sendable {
  /// The error that it fails with, one of ``OnsideCall/errorCases``; nil lets it continue.
  public let error: String?
  /// Whether a payment waits before it is sent, instead of on its way.
  public let isBeforeSending: Bool
  /// Waits before the flow continues or fails.
  public let hold: @Sendable () async -> Void

  /// Creates an outcome.
  public init(
    error: String? = nil, isBeforeSending: Bool = false, hold: @escaping @Sendable () async -> Void = {}
  ) {
    self.error = error
    self.isBeforeSending = isBeforeSending
    self.hold = hold
  }
}

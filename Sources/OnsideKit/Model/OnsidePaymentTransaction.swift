public import BridgeRuntime

/// An entry of the payment queue (bridge reference, "JSPaymentTransaction").
public struct OnsidePaymentTransaction: Sendable, Hashable, Identifiable, Codable {
  /// Identifies the transaction. It stays the same at the next launch. Pages receive it as lower-case text.
  public let id: UUID
  /// The order's id on the server; nil until payment has been sent.
  public internal(set) var transactionIdentifier: String?
  /// The id of the original order of a restored or renewed one.
  public internal(set) var originalTransactionIdentifier: String?
  /// What is bought.
  public internal(set) var payment: OnsidePayment
  /// Where the transaction is in its life.
  public internal(set) var transactionState: OnsidePaymentTransactionState
  /// The storefront in which the transaction runs.
  public internal(set) var storefront: OnsideStorefront
  /// Why it failed; only with ``OnsidePaymentTransactionState/failed``.
  public internal(set) var error: OnsidePaymentTransactionError?

  /// Whether both stand for the same entry of the queue, perhaps at different times.
  public func isSame(as other: OnsidePaymentTransaction) -> Bool { id == other.id }
}

/// Where a transaction is in its life (bridge reference, "JSPaymentTransactionState").
public enum OnsidePaymentTransactionState: String, Sendable, Codable {
  /// In flight: created, awaiting payment, and so on.
  case purchasing
  /// Completed; to be finished by the app.
  case purchased
  /// Returned by a restore; to be finished by the app.
  case restored
  /// Final, failed; to be finished by the app.
  case failed

  /// Whether the state is one that the app has to finish.
  public var isTerminal: Bool { self != .purchasing }
}

/// A request to buy one product (bridge reference, "JSPayment").
public struct OnsidePayment: Sendable, Hashable, Codable {
  /// The product as it was when the payment was made.
  @Shared public var product: OnsideProduct
  /// The app's own opaque token, handed back in transactions and in the history.
  public var appAccountToken: String?

  /// Creates a payment.
  public init(product: OnsideProduct, appAccountToken: String? = nil) {
    self.product = product
    self.appAccountToken = appAccountToken
  }
}

/// The selected storefront (bridge reference, "JSStorefront").
public struct OnsideStorefront: Sendable, Hashable, Codable {
  /// Opaque; stable during one launch only.
  public let id: String
  /// ISO 3166-1 alpha-2.
  public let countryCode: String

  /// Creates a storefront.
  public init(id: String, countryCode: String) {
    self.id = id
    self.countryCode = countryCode
  }
}

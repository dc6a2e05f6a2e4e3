/// An entry of the payment queue (bridge reference, "JSPaymentTransaction").
public struct OnsidePaymentTransaction: Sendable, Hashable, Identifiable, Codable {
  /// A UUID: the only stable handle, the same at the next launch.
  public let id: String
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

public import BridgeRuntime

/// Decides whether transactions continue (bridge reference, "shouldContinueTransaction"). An app implements the form that it needs, with or
/// without `async`.
@BridgeActor
public protocol OnsidePaymentQueueDelegate: AnyObject {
  /// Decides whether `transaction` continues in `storefront`. Contract "docs" asks before each transaction is processed. Contract 1.3 asks
  /// only if the transaction was added in another storefront.
  func onsidePaymentQueue(
    _ queue: OnsidePaymentQueue,
    shouldContinue transaction: OnsidePaymentTransaction,
    in storefront: OnsideStorefront
  ) -> Bool

  /// The same, for a decision that takes time. The queue calls this form.
  func onsidePaymentQueue(
    _ queue: OnsidePaymentQueue,
    shouldContinue transaction: OnsidePaymentTransaction,
    in storefront: OnsideStorefront
  ) async -> Bool

  /// Decides whether `transaction` enters the queue after its purchase needed a login. Contract 1.3 only.
  func onsidePaymentQueue(
    _ queue: OnsidePaymentQueue,
    shouldContinueAfterLogin transaction: OnsidePaymentTransaction
  ) async -> Bool
}

extension OnsidePaymentQueueDelegate {
  /// True.
  public func onsidePaymentQueue(
    _ queue: OnsidePaymentQueue,
    shouldContinue transaction: OnsidePaymentTransaction,
    in storefront: OnsideStorefront
  ) -> Bool { true }

  /// Calls the form without `async`.
  public func onsidePaymentQueue(
    _ queue: OnsidePaymentQueue,
    shouldContinue transaction: OnsidePaymentTransaction,
    in storefront: OnsideStorefront
  ) async -> Bool {
    func decide() -> Bool { onsidePaymentQueue(queue, shouldContinue: transaction, in: storefront) }
    return decide()
  }

  /// True.
  public func onsidePaymentQueue(
    _ queue: OnsidePaymentQueue,
    shouldContinueAfterLogin transaction: OnsidePaymentTransaction
  ) async -> Bool { true }
}

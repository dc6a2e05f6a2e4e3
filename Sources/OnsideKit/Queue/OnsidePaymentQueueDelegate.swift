public import BridgeRuntime

/// Decides whether transactions go on (bridge reference, "shouldContinueTransaction"). An app implements the form that it needs, with or
/// without `async`.
@BridgeActor
public protocol OnsidePaymentQueueDelegate: AnyObject {
  /// Decides whether `transaction` goes on in `storefront`. Contract "docs" asks before each transaction is processed. Contract 1.3 asks only
  /// if the storefront is not the one in which the transaction was added.
  func onsidePaymentQueue(
    _ queue: OnsidePaymentQueue,
    shouldContinue transaction: OnsidePaymentTransaction,
    in storefront: OnsideStorefront
  ) -> Bool

  /// The same, for a decision that takes time. This is the form that the queue calls.
  func onsidePaymentQueue(
    _ queue: OnsidePaymentQueue,
    shouldContinue transaction: OnsidePaymentTransaction,
    in storefront: OnsideStorefront
  ) async -> Bool

  /// Decides whether `transaction`, whose purchase had to log the person in, enters the queue. Contract 1.3 only.
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

  /// Takes the decision of the form without `async`.
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

public import BridgeRuntime

/// Decides whether transactions go on (bridge reference, "shouldContinueTransaction").
@BridgeActor
public protocol OnsidePaymentQueueDelegate: AnyObject {
  /// Whether `transaction` goes on in `storefront`. Contract "docs": asked before each transaction is processed; 1.3: only when the
  /// storefront is not the one in which the transaction was added.
  func onsidePaymentQueue(
    _ queue: OnsidePaymentQueue,
    shouldContinue transaction: OnsidePaymentTransaction,
    in storefront: OnsideStorefront
  ) async -> Bool

  /// Whether `transaction`, whose purchase had to log the person in, enters the queue. Contract 1.3 only.
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
  ) async -> Bool { true }

  /// True.
  public func onsidePaymentQueue(
    _ queue: OnsidePaymentQueue,
    shouldContinueAfterLogin transaction: OnsidePaymentTransaction
  ) async -> Bool { true }
}

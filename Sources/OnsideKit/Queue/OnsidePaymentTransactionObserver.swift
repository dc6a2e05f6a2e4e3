public import BridgeRuntime

/// Listens to the payment queue (purchasing guide, step 1). The names of the methods that the guide does not spell out are ours.
@BridgeActor
public protocol OnsidePaymentTransactionObserver: AnyObject {
  /// Transactions were added, or have a new state.
  func onsidePaymentQueue(_ queue: OnsidePaymentQueue, updatedTransactions: [OnsidePaymentTransaction])

  /// Transactions left the queue.
  func onsidePaymentQueue(_ queue: OnsidePaymentQueue, removedTransactions: [OnsidePaymentTransaction])

  /// The storefront changed; nil after a logout.
  func onsidePaymentQueue(_ queue: OnsidePaymentQueue, didChangeStorefront storefront: OnsideStorefront?)

  /// A restore has delivered everything.
  func onsidePaymentQueueRestoreCompletedTransactionsFinished(_ queue: OnsidePaymentQueue)

  /// A restore failed.
  func onsidePaymentQueue(
    _ queue: OnsidePaymentQueue,
    restoreCompletedTransactionsFailedWithError error: OnsideTransactionsRestoreError
  )
}

extension OnsidePaymentTransactionObserver {
  /// Does nothing.
  public func onsidePaymentQueue(_ queue: OnsidePaymentQueue, removedTransactions: [OnsidePaymentTransaction]) {}

  /// Does nothing.
  public func onsidePaymentQueue(_ queue: OnsidePaymentQueue, didChangeStorefront storefront: OnsideStorefront?) {}

  /// Does nothing.
  public func onsidePaymentQueueRestoreCompletedTransactionsFinished(_ queue: OnsidePaymentQueue) {}

  /// Does nothing.
  public func onsidePaymentQueue(
    _ queue: OnsidePaymentQueue,
    restoreCompletedTransactionsFailedWithError error: OnsideTransactionsRestoreError
  ) {}
}

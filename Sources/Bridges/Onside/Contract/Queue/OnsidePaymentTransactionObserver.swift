public import BridgeRuntime

/// Receives the transactions of the payment queue (purchasing guide, step 1).
@BridgeActor
public protocol OnsidePaymentTransactionObserver: AnyObject {
  /// Transactions were added, or have a new state.
  func onsidePaymentQueue(_ queue: OnsidePaymentQueue, updatedTransactions: [OnsidePaymentTransaction])

  /// Transactions left the queue.
  func onsidePaymentQueue(_ queue: OnsidePaymentQueue, removedTransactions: [OnsidePaymentTransaction])

  /// The storefront changed. ``OnsidePaymentQueue/storefront`` is the new one, or nil after a logout.
  func onsidePaymentQueueDidChangeStorefront(_ queue: OnsidePaymentQueue)

  /// A restore has delivered all transactions.
  func onsidePaymentQueueRestoreCompletedTransactionsFinished(_ queue: OnsidePaymentQueue)

  /// A restore failed.
  func onsidePaymentQueue(
    _ queue: OnsidePaymentQueue,
    restoreCompletedTransactionsFailedWithError error: OnsideTransactionsRestoreError
  )
}

/// An observer leaves out the events that it does not need.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension OnsidePaymentTransactionObserver {
  public func onsidePaymentQueue(_ queue: OnsidePaymentQueue, removedTransactions: [OnsidePaymentTransaction]) {}

  public func onsidePaymentQueueDidChangeStorefront(_ queue: OnsidePaymentQueue) {}

  public func onsidePaymentQueueRestoreCompletedTransactionsFinished(_ queue: OnsidePaymentQueue) {}

  public func onsidePaymentQueue(
    _ queue: OnsidePaymentQueue,
    restoreCompletedTransactionsFailedWithError error: OnsideTransactionsRestoreError
  ) {}
}

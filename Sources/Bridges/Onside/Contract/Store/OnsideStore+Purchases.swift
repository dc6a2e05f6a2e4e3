package import BridgeCore
import BridgeRuntime
import Essentials
package import InAppPurchases

extension OnsideStore {
  // MARK: Requests

  /// Whoever asks, a purchase takes this way: the product, the login, the limits and the offer, then the queue.
  package func request(
    _ purchase: InAppPurchase, for page: BridgeHost.ID?,
    answer: @escaping @BridgeActor (Result<UUID, InAppError>) -> Void
  ) {
    guard let onside else { return answer(.failure(Self.ended)) }
    let launch = onside.launch
    if let error = launch.takeError(of: .purchase, as: JSPurchaseError.self) {
      return launch.afterDelay(of: .purchase) { answer(.failure(InAppError(purchase: error))) }
    }
    let product: OnsideProduct
    do throws(InAppError) {
      product = try launch.product(of: purchase)
    } catch {
      return launch.afterDelay(of: .purchase) { answer(.failure(error)) }
    }
    var payment = OnsidePayment(product: product, appAccountToken: purchase.appAccountToken)
    payment.offerID = purchase.offerID
    onside.purchaseIntake.add(payment, for: page, asksPages: purchase.asksAfterLogin, answer: answer)
  }

  package func requestRestore(
    for page: BridgeHost.ID?, answer: @escaping @BridgeActor (InAppError?) -> Void
  ) {
    guard let onside else { return answer(Self.ended) }
    let launch = onside.launch
    OnsideLaunch.$asker.withValue(page) {
      launch.afterDelay(of: .restoreCompletedTransactions) {
        let error = launch.takeError(
          of: .restoreCompletedTransactions, as: OnsidePaymentQueueRequestRestoreError.self)
        if error != nil { return answer(.loginDismissed) }
        onside.purchaseIntake.addRestore(for: page, answer: answer)
      }
    }
  }

  package func finish(entry id: UUID?, accepted: () -> Void) throws(InAppError) {
    guard let onside else { throw Self.ended }
    do throws(JSFinishTransactionError) {
      try onside.defaultPaymentQueue().finishTransaction(id, accepted: accepted)
    } catch {
      throw InAppError(.unknownTransaction, "There is no unfinished transaction with this id.")
    }
  }

  // MARK: Outcomes

  package func purchase(
    _ purchase: InAppPurchase, for page: BridgeHost.ID?
  ) async throws(InAppError) -> InAppPurchase.Outcome {
    _ = try working()
    let decision: Decision = await withCheckedContinuation { continuation in
      request(purchase, for: page) { [self] result in
        switch result {
        case .success where hasEnded: continuation.resume(returning: .failure(Self.ended))
        case .success(let id): purchases[id] = continuation
        case .failure(let error): continuation.resume(returning: .failure(error))
        }
      }
    }
    try await waitUntilStored()
    return try decision.get()
  }

  func decide(_ id: UUID, _ decision: Decision) {
    purchases.removeValue(forKey: id)?.resume(returning: decision)
  }

  package func finish(_ id: String) throws(InAppError) {
    let entries = try working().defaultPaymentQueue().entries
    let entry = entries.first { $0.isUnfinishedPurchase && $0.transaction.transactionIdentifier == id }
    try finish(entry: entry?.transaction.id, accepted: {})
  }

  package func restore(for page: BridgeHost.ID?) async throws(InAppError) -> [InAppTransaction] {
    _ = try working()
    let failure: InAppError? = await withCheckedContinuation { continuation in
      restores.append(continuation)
      // Restores that are made at the same time are one.
      if restores.count > 1 { return }
      requestRestore(for: page) { [self] error in
        if let error { restored(error) }
      }
    }
    if let failure { throw failure }
    try await waitUntilStored()
    return entitlements
  }

  private func restored(_ failure: InAppError?) {
    let waiting = restores
    restores = []
    for restore in waiting { restore.resume(returning: failure) }
  }
}

extension OnsideStore: OnsidePaymentTransactionObserver {
  package func onsidePaymentQueue(
    _ queue: OnsidePaymentQueue, updatedTransactions: [OnsidePaymentTransaction]
  ) {
    for transaction in updatedTransactions {
      switch transaction.transactionState {
      case .purchasing: break
      case .purchased: wasPurchased(transaction)
      case .failed: hasFailed(transaction, in: queue)
      case .restored: if !restores.isEmpty { queue.finishTransaction(transaction) }
      }
    }
  }

  private func wasPurchased(_ transaction: OnsidePaymentTransaction) {
    pending.remove(transaction.id)
    guard purchases[transaction.id] != nil, let onside, let order = transaction.transactionIdentifier else { return }
    guard let order = onside.ledger[order] else { return decide(transaction.id, .failure(Self.ended)) }
    decide(transaction.id, .success(.purchased(InAppTransaction(order, in: onside))))
  }

  private func hasFailed(_ transaction: OnsidePaymentTransaction, in queue: OnsidePaymentQueue) {
    if pending.remove(transaction.id) != nil {
      tell(InAppNotice(.declined, productID: transaction.payment.product.productIdentifier))
    } else if purchases[transaction.id] == nil {
      return
    }
    decide(transaction.id, .failure(InAppError(payment: transaction.error)))
    queue.finishTransaction(transaction)
  }

  package func onsidePaymentQueue(
    _ queue: OnsidePaymentQueue, removedTransactions: [OnsidePaymentTransaction]
  ) {
    for transaction in removedTransactions {
      pending.remove(transaction.id)
      decide(transaction.id, .failure(InAppError(payment: .cancelled)))
    }
  }

  package func onsidePaymentQueueRestoreCompletedTransactionsFinished(_ queue: OnsidePaymentQueue) { restored(nil) }

  package func onsidePaymentQueue(
    _ queue: OnsidePaymentQueue, restoreCompletedTransactionsFailedWithError error: OnsideTransactionsRestoreError
  ) {
    restored(InAppError(restore: error))
  }
}

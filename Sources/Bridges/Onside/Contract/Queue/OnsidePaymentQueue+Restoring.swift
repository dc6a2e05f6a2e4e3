import BridgeRuntime

/// A restore in progress. It waits while the queue has no observer.
@BridgeActor
final class OnsideRestore {
  let accountID: String
  var task: Task<Void, Never>?

  init(accountID: String) {
    self.accountID = accountID
  }
}

extension OnsidePaymentQueue {
  /// Starts a restore. If nobody is signed in, the login comes first (purchasing guide, "Restoring Purchases").
  ///
  /// - Parameter completion: Called when the restore has started, or with the reason why it has not. Observers receive the restored
  ///   transactions, then the end of the restore.
  public func restoreCompletedTransactions(
    completion: (@BridgeActor (Result<Void, OnsidePaymentQueueRequestRestoreError>) -> Void)? = nil
  ) {
    BridgeActor.begin { [self] in
      do throws(OnsidePaymentQueueRequestRestoreError) {
        try await restoreCompletedTransactions()
        completion?(.success(()))
      } catch {
        completion?(.failure(error))
      }
    }
  }

  /// Starts a restore. If nobody is signed in, the login comes first. The guide has a completion instead.
  ///
  /// - Throws: ``OnsidePaymentQueueRequestRestoreError``. In this case no restore has started.
  public func restoreCompletedTransactions() async throws(OnsidePaymentQueueRequestRestoreError) {
    if let error = launch.takeError(of: .restoreCompletedTransactions, as: OnsidePaymentQueueRequestRestoreError.self) {
      throw error
    }
    guard await launch.signIn() else { throw .loginDiscarded }
    beginRestore()
  }

  /// Starts a restore for the account that is signed in.
  func beginRestore() {
    guard let account = launch.state.account else { return }
    launch.state.launch.restores.append(account.id)
    start(makeRestore(accountID: account.id))
  }

  func makeRestore(accountID: String) -> OnsideRestore {
    let restore = OnsideRestore(accountID: accountID)
    restores.append(restore)
    return restore
  }

  func start(_ restore: OnsideRestore) {
    guard !machine.isPaused, restore.task == nil else { return }
    let end = launch.endOfDelay(.restore)
    restore.task = BridgeActor.begin { [self] in
      await launch.wait(until: end)
      await launch.roundTrips.wait()
      if Task.isCancelled { return }
      let outcome = launch.decideOutcome?(.restore, [:])
      await outcome?.hold()
      if !Task.isCancelled { finish(restore, outcome) }
    }
  }

  private func finish(_ restore: OnsideRestore, _ outcome: OnsideOutcome?) {
    restores.removeAll { $0 === restore }
    launch.state.launch.restores = restores.map(\.accountID)
    if let error = outcome?.error.flatMap(OnsideTransactionsRestoreError.init)
      ?? launch.takeError(of: .restore, as: OnsideTransactionsRestoreError.self)
    {
      return fail(error)
    }
    // A logout cancels the restore. The contract has no other error for it.
    guard let account = launch.state.account, account.id == restore.accountID, let storefront else {
      return fail(.cancelled)
    }
    for purchase in launch.restorable(for: account.id) {
      deliver(purchase.accountID == account.id ? purchase : purchase.withoutToken, to: account.id, in: storefront)
    }
    for observer in transactionObservers { observer.onsidePaymentQueueRestoreCompletedTransactionsFinished(self) }
  }

  private func fail(_ error: OnsideTransactionsRestoreError) {
    for observer in transactionObservers {
      observer.onsidePaymentQueue(self, restoreCompletedTransactionsFailedWithError: error)
    }
  }

  /// Delivers a restored purchase: again, if an earlier restore left its transaction unfinished; otherwise as a new transaction.
  private func deliver(_ purchase: OnsidePurchase, to accountID: String, in storefront: OnsideStorefront) {
    let unfinished = machine.entries.first {
      $0.transaction.transactionState == .restored && $0.transaction.transactionIdentifier == purchase.id
        && $0.stage == .ended
    }
    if let unfinished {
      perform(machine.step(unfinished.transaction.id) { $0.announceAgain() } ?? [])
      return
    }
    var transaction = OnsidePaymentTransaction(
      id: UUID(launch.random),
      payment: OnsidePayment(
        product: launch.product(of: purchase, in: storefront), appAccountToken: purchase.appAccountToken),
      transactionState: .restored,
      storefront: storefront
    )
    transaction.transactionIdentifier = purchase.id
    transaction.originalTransactionIdentifier = launch.originalID(ofOrder: purchase.id) ?? purchase.originalID
    perform(machine.add(QueuedTransaction(restored: transaction, accountID: accountID)))
  }
}

import BridgeRuntime

extension OnsidePaymentQueue {
  /// The result of the questions before a payment.
  private enum Verdict {
    /// Send the payment.
    case pay
    /// Fail the transaction.
    case fail(OnsidePaymentTransactionError)
    /// Remove the transaction without a final state.
    case discard
    /// Do nothing: the transaction was removed in the meantime.
    case stopped
  }

  /// Processes a transaction until it ends or waits for somebody else.
  func process(_ id: UUID) async {
    await OnsideLaunch.$asker.withValue(askerOfTransaction?(id)) { await processInSteps(id) }
    if entry(id)?.stage != .awaitingApproval { forgetOutcome(of: id) }
  }

  private func processInSteps(_ id: UUID) async {
    if entry(id)?.stage == .processing {
      switch await prepare(id) {
      case .pay: break
      case .fail(let error):
        step(id) { $0.fail(error) }
        return
      case .discard:
        discard(id)
        return
      case .stopped: return
      }
      if launch.state.settings.askToBuyEnabled {
        step(id) { $0.askForApproval() }
        return
      }
      if let entry = entry(id), let outcome = outcome(of: entry), outcome.isBeforeSending {
        await outcome.hold()
        if Task.isCancelled { return }
      }
      send(id)
    }
    await settle(id)
  }

  /// Approves a payment that waits for someone else ("ask to buy"). Returns false if it does not wait.
  ///
  /// The storefront and the price are those that the person saw, even if the account has moved since. This is ours; the contract has no such
  /// payments.
  @discardableResult
  public func approve(_ id: UUID) -> Bool {
    guard entry(id)?.stage == .awaitingApproval else { return false }
    send(id)
    return true
  }

  /// Declines a payment that waits for someone else: the transaction fails. Returns false if it does not wait.
  @discardableResult
  public func decline(_ id: UUID) -> Bool {
    guard entry(id)?.stage == .awaitingApproval else { return false }
    forgetOutcome(of: id)
    return step(id) { $0.fail(.cancelled) }
  }

  /// Resolves an interrupted purchase: it completes or, unless `successfully`, fails. Returns false if it is not interrupted.
  @discardableResult
  public func resolveInterruption(of id: UUID, successfully: Bool = true) -> Bool {
    guard entry(id)?.stage == .interrupted else { return false }
    if successfully {
      complete(id)
    } else {
      step(id) { $0.fail(.cancelled) }
    }
    return true
  }

  // MARK: Before payment

  private func prepare(_ id: UUID) async -> Verdict {
    // Each question takes time, and the account may move. If it does, ask again for the new storefront.
    while true {
      guard let entry = entry(id) else { return .stopped }
      guard let account = launch.state.account, account.id == entry.accountID, let storefront else {
        return .fail(.cancelled)
      }
      let verdict = await ask(entry, account: account, storefront: storefront)
      if Task.isCancelled || self.entry(id)?.stage != .processing { return .stopped }
      if case .pay = verdict, self.storefront != storefront { continue }
      return verdict
    }
  }

  private func ask(
    _ entry: QueuedTransaction,
    account: OnsideAccount,
    storefront: OnsideStorefront
  ) async -> Verdict {
    let id = entry.transaction.id
    let contract = launch.state.settings.contract
    if isGateDue(entry, storefront: storefront, contract: contract) {
      let continues =
        await delegate?.onsidePaymentQueue(self, shouldContinue: entry.transaction, in: storefront) ?? true
      if Task.isCancelled { return .stopped }
      guard continues else { return contract == .docs ? .fail(.cancelled) : .discard }
      step(id) {
        $0.agreedCountryCode = storefront.countryCode
        return true
      }
    }
    if let outcome = outcome(of: entry), let error = outcome.error.flatMap(OnsidePaymentTransactionError.init) {
      await outcome.hold()
      return Task.isCancelled ? .stopped : .fail(error)
    }
    if let error = launch.takeError(of: .payment, as: OnsidePaymentTransactionError.self) { return .fail(error) }
    let old = entry.transaction.payment.product
    guard let product = launch.product(old.productIdentifier, in: storefront.countryCode) else {
      _ = await launch.present(.unavailable(launch, product: old, storefront: storefront))
      return .fail(.cancelled)
    }
    let isIntroductory = launch.getsIntroductoryPrice(product, account.id)
    let isChanged =
      product.price != old.price || (isIntroductory && product.introductoryPrice != old.introductoryPrice)
    if isChanged {
      // Even with disabled dialogs, a changed price needs the person's consent. With it, no payment sheet follows.
      let answer = await launch.present(
        .priceChange(launch, product: product, oldPrice: old.price, account: account, storefront: storefront))
      guard answer.approved else { return .fail(.cancelled) }
      if Task.isCancelled { return .stopped }
    }
    step(id) { $0.move(to: storefront, product: product) }
    if !isChanged, !launch.state.settings.disableDialogs {
      let answer = await launch.present(.payment(launch, product: product, account: account, storefront: storefront))
      guard answer.approved else { return .fail(.cancelled) }
    }
    return .pay
  }

  /// Contract "docs" asks before each transaction. Contract 1.3 asks only if the transaction was added in another storefront.
  private func isGateDue(
    _ entry: QueuedTransaction,
    storefront: OnsideStorefront,
    contract: OnsideContract
  ) -> Bool {
    if entry.agreedCountryCode == storefront.countryCode { return false }
    return contract == .docs || entry.transaction.storefront.countryCode != storefront.countryCode
  }

  // MARK: Payment

  private func send(_ id: UUID) {
    guard let entry = entry(id) else { return }
    let orderID = launch.uncharged(entry)?.id ?? launch.random.uuid()
    step(id) { $0.send(orderID: orderID, originalID: launch.originalID(ofOrder: orderID)) }
  }

  private func settle(_ id: UUID) async {
    guard let entry = entry(id), entry.stage == .paying else { return }
    await launch.delay(.payment)
    let outcome = outcome(of: entry)
    if let outcome, !outcome.isBeforeSending {
      held.insert(id)
      await outcome.hold()
      held.remove(id)
    }
    guard !Task.isCancelled else { return }
    if let error = outcome?.error.flatMap(OnsidePaymentTransactionError.init) {
      step(id) { $0.fail(error) }
    } else if launch.state.settings.interruptedPurchasesEnabled {
      step(id) { $0.interrupt() }
    } else {
      complete(id)
    }
  }

  private func complete(_ id: UUID) {
    guard let entry = entry(id) else { return }
    if launch.state.settings.failTransactionsEnabled {
      step(id) { $0.fail(.cancelled) }
      return
    }
    let order = launch.recordPurchase(entry)
    let renewedID = order.originalID == order.id ? nil : order.originalID
    step(id) { $0.complete(orderID: order.id, originalID: launch.originalID(ofOrder: order.id) ?? renewedID) }
  }
}

extension OnsidePaymentQueue {
  /// Completes the open work of an earlier launch: notifies its pages of removals, and starts its restores again.
  func takeOver(_ former: OnsideLaunchState) {
    launch.state.launch.removals = []
    if !former.removals.isEmpty { perform([.removed(former.removals)]) }
    for accountID in former.restores { start(makeRestore(accountID: accountID)) }
  }

  /// Restores the launch's state, and pauses.
  func rollBack() {
    for id in machine.rollBack(to: launch.state.transactions) { stop(id) }
    for restore in restores { restore.task?.cancel() }
    restores = []
    for accountID in launch.state.launch.restores { _ = makeRestore(accountID: accountID) }
  }

  /// Resumes after ``rollBack()``.
  func resume() {
    if transactionObservers.isEmpty { return }
    perform(machine.resume())
    // Their removal was not stored, and is made again.
    for entry in machine.entries where entry.stage == .finishing && tasks[entry.transaction.id] == nil {
      perform(machine.remove(entry.transaction.id))
    }
    for restore in restores { start(restore) }
  }
}

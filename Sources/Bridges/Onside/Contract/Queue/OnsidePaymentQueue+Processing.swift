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
    await OnsideLaunch.$asker.withValue(askers[id]) { await processInSteps(id) }
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
    guard let charge = await agree(on: product, instead: old, id, account: account, storefront: storefront) else {
      return .fail(.cancelled)
    }
    if Task.isCancelled { return .stopped }
    step(id) { $0.move(to: storefront, product: product) && $0.agree(to: charge) }
    return .pay
  }

  /// Shows what the payment costs, until the person has agreed to what it costs then. Nil if the person does not agree.
  ///
  /// A changed price needs the person's consent, even with disabled dialogs. With it, no payment sheet follows.
  private func agree(
    on product: OnsideProduct, instead old: OnsideProduct, _ id: UUID, account: OnsideAccount,
    storefront: OnsideStorefront
  ) async -> OnsideCharge? {
    func ask(_ charge: OnsideCharge, instead oldPrice: OnsidePrice, newPrice: OnsidePrice) async -> Bool {
      await launch.present(
        .priceChange(
          launch, product: product, oldPrice: oldPrice, newPrice: newPrice, charge: charge, account: account,
          storefront: storefront)
      ).approved
    }
    let offerID = entry(id)?.transaction.payment.offerID
    var charge = launch.charge(for: product, account.id, offerID: offerID)
    if product.price != old.price || (charge.isIntroductory && product.introductoryPrice != old.introductoryPrice) {
      guard await ask(charge, instead: old.price, newPrice: product.price) else { return nil }
    } else if !charge.isIntroductory, charge.offerID == nil, charge.price != product.price {
      guard await ask(charge, instead: product.price, newPrice: charge.price) else { return nil }
    } else {
      step(id) { $0.move(to: storefront, product: product) }
      if launch.state.settings.disableDialogs {
        await launch.roundTrips.wait()
        return charge
      }
      let sheet = OnsideSheet.payment(
        launch, product: product, charge: charge, account: account, storefront: storefront)
      guard await launch.present(sheet).approved else { return nil }
    }
    // What it costs may have changed while the sheet was open. If the account has moved, it is asked again anyway.
    while !Task.isCancelled, self.storefront == storefront {
      let present = launch.charge(for: product, account.id, offerID: offerID)
      if present == charge { break }
      guard await ask(present, instead: charge.price, newPrice: present.price) else { return nil }
      charge = present
    }
    return charge
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

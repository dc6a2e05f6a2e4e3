import BridgeRuntime

extension OnsidePaymentQueue {
  /// What comes of the questions before a payment is sent.
  private enum Verdict {
    /// The payment is sent.
    case pay
    /// The transaction fails.
    case fail(OnsidePaymentTransactionError)
    /// The transaction leaves the queue without a final state.
    case discard
    /// The transaction was taken away meanwhile; nothing is to be done.
    case stopped
  }

  /// Takes a transaction whose turn has come as far as it gets.
  func process(_ id: UUID) async {
    await goOn(id)
    if entry(id)?.stage != .awaitingApproval { forgetOutcome(of: id) }
  }

  private func goOn(_ id: UUID) async {
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
      send(id)
    }
    await settle(id)
  }

  /// Someone else agrees to pay for a transaction that waits for it ("ask to buy"). False when it does not.
  ///
  /// They agree to what they were asked: the storefront and the price are those that the person saw, wherever the account has moved since. That
  /// is ours, the contract knows no such payments.
  @discardableResult
  public func approve(_ id: UUID) -> Bool {
    guard entry(id)?.stage == .awaitingApproval else { return false }
    send(id)
    return true
  }

  /// Someone else refuses to pay: the transaction fails. False when it does not wait for anyone.
  @discardableResult
  public func decline(_ id: UUID) -> Bool {
    guard entry(id)?.stage == .awaitingApproval else { return false }
    forgetOutcome(of: id)
    return step(id) { $0.fail(.cancelled) }
  }

  /// The person resolves an interrupted purchase: it completes or, unless `successfully`, fails. False when it is not interrupted.
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
    // Whatever is asked takes time in which the account may move; then everything is asked again for the new storefront.
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
      let goesOn = await delegate?.onsidePaymentQueue(self, shouldContinue: entry.transaction, in: storefront) ?? true
      if Task.isCancelled { return .stopped }
      guard goesOn else { return contract == .docs ? .fail(.cancelled) : .discard }
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
      _ = await launch.present(.unavailable(product: old, storefront: storefront))
      return .fail(.cancelled)
    }
    // Not even disabled dialogs let another price than the one that was shown through.
    let isIntroductory = launch.getsIntroductoryPrice(product, account.id)
    if product.price != old.price || (isIntroductory && product.introductoryPrice != old.introductoryPrice) {
      let answer = await launch.present(.priceChange(product: product, oldPrice: old.price, storefront: storefront))
      guard answer.approved else { return .fail(.cancelled) }
      if Task.isCancelled { return .stopped }
    }
    step(id) { $0.move(to: storefront, product: product) }
    if !launch.state.settings.disableDialogs {
      let answer = await launch.present(
        .payment(
          product: product, price: launch.charge(for: product, account.id), account: account, storefront: storefront))
      guard answer.approved else { return .fail(.cancelled) }
    }
    return .pay
  }

  /// Contract "docs" asks before each transaction, 1.3 only when the storefront is not the one in which it was added.
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
    await outcome?.hold()
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

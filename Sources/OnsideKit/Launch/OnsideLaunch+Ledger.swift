extension OnsideLaunch {
  private var now: Double { clock.now.millisecondsSinceEpoch }

  /// Brings subscriptions up to the present moment. Whoever looks at the ledger calls this first; nothing runs in between.
  func advanceLedger() {
    let random = random
    let rate = state.settings.timeRate
    let catalogue = configuration.catalogue
    let terms = OnsideLedger.RenewalTerms(
      end: { identifier, start in catalogue[identifier]?.subscription.map { rate.end(of: $0.period, from: start) } },
      price: { identifier, countryCode, isIntroductory in
        let product = self.product(identifier, in: countryCode)
        return isIntroductory ? product?.introductoryPrice?.price ?? product?.price : product?.price
      },
      hasBillingIssues: state.settings.renewalBillingIssuesEnabled,
      makeID: { random.uuid() }
    )
    var ledger = state.ledger
    ledger.advance(to: now, terms: terms)
    if ledger != state.ledger { state.ledger = ledger }
  }

  /// Has the present periods of subscriptions end as the time rate has it now, though not in the past.
  func reschedule() {
    let rate = state.settings.timeRate
    for subscription in state.ledger.subscriptions {
      guard let order = state.ledger[subscription.orderID],
        let period = configuration.catalogue[order.productIdentifier]?.subscription?.period
      else { continue }
      let end = max(now, rate.end(of: period, from: order.purchasedAt))
      state.ledger.update(order.id) { $0.expiresAt = end }
    }
  }

  /// What a restore brings back for an account.
  func restorable(for accountID: String) -> [OnsidePurchase] {
    advanceLedger()
    let settings = state.settings
    let ledger = state.ledger
    return ledger.restorable(for: accountID, at: now) { subscription in
      guard settings.billingGracePeriodEnabled, let order = ledger[subscription.orderID], let end = order.expiresAt
      else { return 0 }
      return (end - order.purchasedAt) / 16
    }
  }

  // MARK: Charging

  /// The order by which the buyer has the product already, or will have it at the next renewal: nothing is charged, and the transaction
  /// has this order's id. That a second purchase of a non-consumable is free is ours, after the App Store.
  func uncharged(_ entry: QueuedTransaction) -> OnsidePurchase? {
    advanceLedger()
    let identifier = entry.transaction.payment.product.productIdentifier
    if let owned = state.ledger.owned(identifier, by: entry.accountID) { return owned }
    switch subscriptionChange(to: identifier, by: entry.accountID) {
    case .resume(let orderID)?, .changeAtRenewal(let orderID)?: return state.ledger[orderID]
    case .start?, .replace?, nil: return nil
    }
  }

  /// Whether the account would get the product's introductory price.
  func getsIntroductoryPrice(_ product: OnsideProduct, _ accountID: String) -> Bool {
    guard product.introductoryPrice != nil, let group = product.subscriptionGroupIdentifier else { return false }
    return state.ledger.isEligibleForIntroductoryPrice(accountID, group: group)
  }

  /// What the account pays for the product now.
  func charge(for product: OnsideProduct, _ accountID: String) -> OnsidePrice {
    guard getsIntroductoryPrice(product, accountID), let introductory = product.introductoryPrice else {
      return product.price
    }
    return introductory.price
  }

  /// Records a payment that went through. Whether it charges is decided now: meanwhile another one may have bought the product, or what
  /// the buyer had may have been refunded. The order is an earlier one when nothing was charged.
  func recordPurchase(_ entry: QueuedTransaction) -> OnsidePurchase {
    let identifier = entry.transaction.payment.product.productIdentifier
    if let order = uncharged(entry) {
      switch subscriptionChange(to: identifier, by: entry.accountID) {
      case .resume(let orderID)?: state.ledger.resume(orderID: orderID)
      case .changeAtRenewal(let orderID)?: state.ledger.changeAtRenewal(orderID: orderID, to: identifier)
      case .start?, .replace?, nil: break
      }
      return order
    }
    let announcedID = entry.transaction.transactionIdentifier ?? random.uuid()
    let orderID = state.ledger[announcedID] == nil ? announcedID : random.uuid()
    guard let subscription = configuration.catalogue[identifier]?.subscription else {
      let order = makeOrder(entry, id: orderID, originalID: orderID, at: now)
      state.ledger.purchases.append(order)
      return order
    }
    return subscribe(entry, orderID: orderID, subscription, at: now)
  }

  /// Records a payment that went through at `time`, whatever the account has already.
  func seedPurchase(_ entry: QueuedTransaction, orderID: String, at time: Double) -> OnsidePurchase {
    let identifier = entry.transaction.payment.product.productIdentifier
    guard let subscription = configuration.catalogue[identifier]?.subscription else {
      let order = makeOrder(entry, id: orderID, originalID: orderID, at: time)
      state.ledger.purchases.append(order)
      return order
    }
    return subscribe(entry, orderID: orderID, subscription, at: time)
  }

  private func subscribe(
    _ entry: QueuedTransaction,
    orderID: String,
    _ subscription: CatalogueSubscription,
    at time: Double
  ) -> OnsidePurchase {
    let product = entry.transaction.payment.product
    let isIntroductory = getsIntroductoryPrice(product, entry.accountID)
    let offer = isIntroductory ? subscription.introductoryOffer : nil
    var replaced: OnsidePurchase?
    if case .replace(let presentID)? = subscriptionChange(to: product.productIdentifier, by: entry.accountID) {
      replaced = state.ledger[presentID]
    }
    var order = makeOrder(
      entry, id: orderID, originalID: replaced?.originalID ?? orderID, replaced: replaced, at: time)
    let rate = state.settings.timeRate
    var end = order.purchasedAt
    // Paid as one goes, each period is an order of its own; otherwise the first order covers them all.
    let periods = offer.map { $0.paymentMode == .payAsYouGo ? 1 : $0.numberOfPeriods } ?? 1
    for _ in 0..<periods { end = rate.end(of: offer?.period ?? subscription.period, from: end) }
    order.expiresAt = end
    let left = offer.map { $0.paymentMode == .payAsYouGo ? $0.numberOfPeriods - 1 : 0 } ?? 0
    state.ledger.start(order, group: subscription.groupIdentifier, introductoryPeriodsLeft: left)
    return order
  }

  private func makeOrder(
    _ entry: QueuedTransaction,
    id: String,
    originalID: String,
    replaced: OnsidePurchase? = nil,
    at time: Double
  ) -> OnsidePurchase {
    let product = entry.transaction.payment.product
    return OnsidePurchase(
      id: id,
      originalID: originalID,
      accountID: entry.accountID,
      productIdentifier: product.productIdentifier,
      type: configuration.catalogue[product.productIdentifier]?.type ?? .consumable,
      groupIdentifier: product.subscriptionGroupIdentifier,
      price: charge(for: product, entry.accountID),
      countryCode: entry.transaction.storefront.countryCode,
      appAccountToken: entry.transaction.payment.appAccountToken,
      reason: .purchase,
      purchasedAt: time,
      originalPurchasedAt: replaced?.originalPurchasedAt ?? time
    )
  }

  private func subscriptionChange(
    to identifier: String,
    by accountID: String
  ) -> OnsideLedger.SubscriptionChange? {
    let catalogue = configuration.catalogue
    guard let group = catalogue[identifier]?.subscription?.groupIdentifier else { return nil }
    return state.ledger.change(to: identifier, group: group, by: accountID) { catalogue[$0]?.subscription?.groupNumber }
  }

  /// The product of an order as it is sold in `storefront`; when it is not sold there any more, as much as the order tells.
  func product(of purchase: OnsidePurchase, in storefront: OnsideStorefront) -> OnsideProduct {
    product(purchase.productIdentifier, in: storefront.countryCode)
      ?? OnsideProduct(
        productIdentifier: purchase.productIdentifier,
        localizedTitle: purchase.productIdentifier,
        localizedDescription: "",
        subscriptionGroupIdentifier: purchase.groupIdentifier,
        price: purchase.price
      )
  }
}

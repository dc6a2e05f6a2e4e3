extension OnsideLaunch {
  private var now: Double { clock.now.millisecondsSinceEpoch }

  private var terms: OnsideLedger.RenewalTerms {
    let random = random
    let catalogue = configuration.catalogue
    return OnsideLedger.RenewalTerms(
      period: { catalogue[$0]?.subscription?.period },
      rate: state.settings.timeRate,
      price: { identifier, countryCode, isReduced, offerID in
        guard let product = self.product(identifier, in: countryCode) else { return nil }
        guard isReduced, let offer = catalogue[identifier]?.subscription?.offer(offerID) else { return product.price }
        return OnsidePrice(value: offer.price, currencyCode: product.price.currencyCode)
      },
      hasBillingIssues: state.settings.renewalBillingIssuesEnabled,
      billingRetryPeriod: state.settings.billingRetryPeriod,
      makeID: { random.uuid() }
    )
  }

  /// Brings subscriptions up to date. Call it before you use the ledger: nothing renews them in the background.
  func advanceLedger() {
    let terms = terms
    let now = now
    while true {
      var ledger = state.ledger
      ledger.advance(to: now, terms: terms)
      if ledger == state.ledger { return }
      // Each step is a change of its own, of which the backend is told.
      state.ledger = ledger
    }
  }

  /// Ends a subscription's period now and begins the next one. Returns false, and changes nothing, if it cannot renew.
  func renewNow(_ subscription: OnsideSubscription) -> Bool {
    let now = now
    var ledger = state.ledger
    ledger.endPeriod(of: subscription, at: now)
    ledger.advance(to: now, terms: terms)
    guard let renewed = ledger.subscription(order: subscription.orderID), renewed.orderID != subscription.orderID else {
      return false
    }
    state.ledger = ledger
    return true
  }

  /// When a subscription renews or ends next, in milliseconds since the Unix epoch; nil if none does.
  var nextRenewal: Double? {
    let now = now
    let state = state
    return state.ledger.subscriptions.compactMap { subscription -> Double? in
      guard let end = state.ledger[subscription.orderID]?.expiresAt else { return nil }
      if end > now { return end }
      guard subscription.isInBillingRetry else { return nil }
      if !state.settings.renewalBillingIssuesEnabled { return now }
      let retry = end + state.settings.billingRetryPeriod
      return retry > now ? retry : nil
    }.min()
  }

  /// Recalculates the end of current periods for the new time rate, but not to a time in the past. A period whose renewal failed has ended.
  func reschedule() {
    for subscription in state.ledger.subscriptions where !subscription.isInBillingRetry {
      guard let order = state.ledger[subscription.orderID],
        let period = configuration.catalogue[order.productIdentifier]?.subscription?.period
      else { continue }
      let end = max(
        now, end(of: order, subscription.offerLength, usually: period, anchor: subscription.anchoredAt))
      state.ledger.update(order.id) { $0.expiresAt = end }
    }
  }

  /// The end of what an order pays for: the length of an offer, or the product's usual period.
  private func end(
    of order: OnsidePurchase, _ offer: OnsideOfferLength?, usually period: OnsidePeriod, anchor: Double? = nil
  ) -> Double {
    state.settings.timeRate.end(
      of: offer?.period ?? period, times: offer?.numberOfPeriods ?? 1, from: order.purchasedAt, anchor: anchor)
  }

  /// The orders that a restore returns for an account.
  func restorable(for accountID: String) -> [OnsidePurchase] {
    advanceLedger()
    return state.ledger.restorable(at: now, belongs: belonging(to: accountID), grace: gracePeriod)
  }

  /// How long a subscription stays active when its renewal fails, in milliseconds.
  func gracePeriod(of subscription: OnsideSubscription) -> Double {
    let period = configuration.catalogue[subscription.productIdentifier]?.subscription?.period
    return state.settings.gracePeriod(of: period)
  }

  /// The price of a subscription's period as it is now, without an increase that waits for consent.
  func renewalPrice(of subscription: OnsideSubscription, _ order: OnsidePurchase) -> OnsidePrice {
    if let increase = subscription.priceIncrease, increase.status == .agreed { return increase.price }
    return product(subscription.productIdentifier, in: order.countryCode)?.price ?? order.price
  }

  // MARK: Families

  /// Whether orders belong to an account: its own, and what its family shares. As in the App Store, that is what the catalogue marks as
  /// `familyShareable`, unless it can be used up.
  func belonging(to accountID: String) -> (OnsidePurchase) -> Bool {
    let accounts = accounts
    let catalogue = configuration.catalogue
    let family = accounts.first { $0.id == accountID }?.family
    let members = Set(accounts.filter { family != nil && $0.family == family }.map(\.id))
    return { order in
      if order.accountID == accountID { return true }
      return members.contains(order.accountID) && order.type != .consumable
        && catalogue[order.productIdentifier]?.isFamilyShareable == true
    }
  }

  // MARK: Charging

  /// The order that already covers the product, now or from the next renewal on. Nothing is charged, and the transaction gets this order's
  /// id. As in the App Store, a second purchase of a non-consumable is free; this is ours.
  func uncharged(_ entry: QueuedTransaction) -> OnsidePurchase? {
    advanceLedger()
    let identifier = entry.transaction.payment.product.productIdentifier
    if let owned = state.ledger.owned(identifier, by: entry.accountID) { return owned }
    switch subscriptionChange(to: identifier, by: entry.accountID) {
    case .resume(let orderID)?, .changeAtRenewal(let orderID)?: return state.ledger[orderID]
    case .start?, .replace?, nil: return nil
    }
  }

  /// Whether the account gets the product's introductory price.
  func getsIntroductoryPrice(_ product: OnsideProduct, _ accountID: String) -> Bool {
    guard product.introductoryPrice != nil, let group = product.subscriptionGroupIdentifier else { return false }
    return state.ledger.isEligibleForIntroductoryPrice(accountID, group: group)
  }

  /// The offer that the account gets with the product now; nil if it pays the usual price.
  func offer(for product: OnsideProduct, _ accountID: String) -> CatalogueOffer? {
    guard getsIntroductoryPrice(product, accountID) else { return nil }
    return configuration.catalogue[product.productIdentifier]?.subscription?.introductoryOffer
  }

  /// The price that the account pays for the product now.
  func charge(for product: OnsideProduct, _ accountID: String) -> OnsidePrice {
    guard getsIntroductoryPrice(product, accountID), let introductory = product.introductoryPrice else {
      return product.price
    }
    return introductory.price
  }

  /// Records a completed payment. Whether it is charged is decided now: since it was sent, another payment may have bought the product, or
  /// the buyer's order may have been refunded. If nothing is charged, the result is the earlier order.
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

  /// Records a payment that was completed at `time`, whatever the account already has. With an offer, the account pays its price.
  func seedPurchase(
    _ entry: QueuedTransaction, orderID: String, at time: Double, offer: CatalogueOffer? = nil
  ) -> OnsidePurchase {
    let identifier = entry.transaction.payment.product.productIdentifier
    guard let subscription = configuration.catalogue[identifier]?.subscription else {
      let order = makeOrder(entry, id: orderID, originalID: orderID, at: time)
      state.ledger.purchases.append(order)
      return order
    }
    return subscribe(entry, orderID: orderID, subscription, offer: offer, at: time)
  }

  private func subscribe(
    _ entry: QueuedTransaction,
    orderID: String,
    _ subscription: CatalogueSubscription,
    offer chosen: CatalogueOffer? = nil,
    at time: Double
  ) -> OnsidePurchase {
    let product = entry.transaction.payment.product
    let offer = chosen ?? offer(for: product, entry.accountID)
    var replaced: OnsidePurchase?
    if case .replace(let presentID)? = subscriptionChange(to: product.productIdentifier, by: entry.accountID) {
      replaced = state.ledger[presentID]
    }
    var order = makeOrder(
      entry, id: orderID, originalID: replaced?.originalID ?? orderID, offer: offer, replaced: replaced, at: time)
    order.expiresAt = end(of: order, offer.map { OnsideOfferLength($0) }, usually: subscription.period)
    state.ledger.start(order, group: subscription.groupIdentifier, offer: offer)
    return order
  }

  private func makeOrder(
    _ entry: QueuedTransaction,
    id: String,
    originalID: String,
    offer: CatalogueOffer? = nil,
    replaced: OnsidePurchase? = nil,
    at time: Double
  ) -> OnsidePurchase {
    let product = entry.transaction.payment.product
    let reduced = offer.map { OnsidePrice(value: $0.price, currencyCode: product.price.currencyCode) }
    return OnsidePurchase(
      id: id,
      originalID: originalID,
      accountID: entry.accountID,
      productIdentifier: product.productIdentifier,
      type: configuration.catalogue[product.productIdentifier]?.type ?? .consumable,
      groupIdentifier: product.subscriptionGroupIdentifier,
      price: reduced ?? product.price,
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
    return state.ledger.change(to: identifier, group: group, by: accountID, at: now, grace: gracePeriod) {
      catalogue[$0]?.subscription?.groupNumber
    }
  }

  /// The product of an order as it is sold in `storefront`. If it is no longer sold there, the result has what the order knows.
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

extension OnsideLaunch {
  var now: Double { clock.now.millisecondsSinceEpoch }

  /// What renewals depend on now.
  var terms: OnsideLedger.RenewalTerms {
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
      billingRetryPeriod: state.settings.billingRetryPeriod
    )
  }

  /// Ends a subscription's period now and begins the next one. Returns false, and changes nothing, if it cannot renew.
  func renewNow(_ subscription: OnsideSubscription) -> Bool {
    var ledger = ledger
    ledger.endPeriod(of: subscription, at: now)
    guard ledger.takeStep(at: now, terms: terms),
      let renewed = ledger.subscription(order: subscription.orderID), renewed.orderID != subscription.orderID
    else { return false }
    state.ledger = ledger
    return true
  }

  /// When a subscription first costs the price of an increase: at its next renewal or, during an offer, at the first one after it.
  func startOfIncrease(_ subscription: OnsideSubscription, _ order: OnsidePurchase) -> Double? {
    guard let end = order.expiresAt else { return nil }
    guard subscription.renewsAtReducedPrice,
      let period = configuration.catalogue[subscription.productIdentifier]?.subscription?.period
    else { return end }
    return state.settings.timeRate.end(
      of: period, times: subscription.introductoryPeriodsLeft, from: end, anchor: subscription.anchoredAt)
  }

  /// Recalculates the end of current periods for the new time rate, but not to a time in the past. A period whose renewal failed has ended.
  func reschedule() {
    var ledger = state.ledger
    for subscription in ledger.subscriptions where !subscription.isInBillingRetry {
      guard let order = ledger[subscription.orderID],
        let period = configuration.catalogue[order.productIdentifier]?.subscription?.period
      else { continue }
      let end = max(
        now, end(of: order, subscription.offerLength, usually: period, anchor: subscription.anchoredAt))
      ledger.update(order.id) { $0.expiresAt = end }
    }
    state.ledger = ledger
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
    ledger.restorable(at: now, belongs: belonging(to: accountID), grace: gracePeriod)
  }

  /// How long a subscription stays active when its renewal fails, in milliseconds.
  func gracePeriod(of subscription: OnsideSubscription) -> Double {
    let period = configuration.catalogue[subscription.productIdentifier]?.subscription?.period
    return state.settings.gracePeriod(of: period)
  }

  /// The price of a subscription's period as it is now, without an increase that waits for consent.
  func renewalPrice(of subscription: OnsideSubscription, _ order: OnsidePurchase) -> OnsidePrice {
    subscription.priceIncrease?.presentPrice
      ?? product(subscription.productIdentifier, in: order.countryCode)?.price ?? order.price
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
    let identifier = entry.transaction.payment.product.productIdentifier
    let ledger = ledger
    if let owned = ledger.owned(identifier, by: entry.accountID) { return owned }
    switch subscriptionChange(to: identifier, by: entry.accountID) {
    case .resume(let orderID)?, .changeAtRenewal(let orderID)?: return ledger[orderID]
    case .start?, .replace?, nil: return nil
    }
  }

  /// What the account pays for the product if it agrees now, with an offer or without.
  func charge(for product: OnsideProduct, _ accountID: String, offerID: String? = nil) -> OnsideCharge {
    let ledger = ledger
    if case .resume(let orderID)? = subscriptionChange(to: product.productIdentifier, by: accountID),
      let increase = ledger.subscription(order: orderID)?.priceIncrease
    {
      return OnsideCharge(price: increase.price, isIntroductory: false)
    }
    if let offerID, let offer = configuration.catalogue[product.productIdentifier]?.subscription?.offer(offerID) {
      let price = OnsidePrice(value: offer.price, currencyCode: product.price.currencyCode)
      return OnsideCharge(price: price, isIntroductory: false, offerID: offerID)
    }
    if let introductory = product.introductoryPrice, let group = product.subscriptionGroupIdentifier,
      ledger.isEligibleForIntroductoryPrice(accountID, group: group)
    {
      return OnsideCharge(price: introductory.price, isIntroductory: true)
    }
    return OnsideCharge(price: product.price, isIntroductory: false)
  }

  /// Records a completed payment. Whether it is charged is decided now: since it was sent, another payment may have bought the product, or
  /// the buyer's order may have been refunded. If it is charged, then what the person agreed to. If nothing is charged, the result is the
  /// earlier order.
  func recordPurchase(_ entry: QueuedTransaction) -> OnsidePurchase {
    let product = entry.transaction.payment.product
    let identifier = product.productIdentifier
    let payment = entry.transaction.payment
    let charge = entry.charge ?? charge(for: product, entry.accountID, offerID: payment.offerID)
    if let order = uncharged(entry) {
      switch subscriptionChange(to: identifier, by: entry.accountID) {
      case .resume(let orderID)?: changeLedger { $0.resume(orderID: orderID, at: charge.price) }
      case .changeAtRenewal(let orderID)?: changeLedger { $0.changeAtRenewal(orderID: orderID, to: identifier) }
      case .start?, .replace?, nil: break
      }
      return order
    }
    let announcedID = entry.transaction.transactionIdentifier ?? random.uuid()
    let orderID = ledger[announcedID] == nil ? announcedID : random.uuid()
    let offer = charge.offer(of: configuration.catalogue[identifier]?.subscription)
    return record(entry, orderID: orderID, price: charge.price, offer, at: now)
  }

  /// Records a payment that was completed at `time`, whatever the account already has. With an offer, the account pays its price. Without
  /// one, a new subscriber pays the introductory price.
  func seedPurchase(
    _ entry: QueuedTransaction, orderID: String, at time: Double, offer: CatalogueOffer? = nil
  ) -> OnsidePurchase {
    let product = entry.transaction.payment.product
    let charge = charge(for: product, entry.accountID)
    let introductory =
      charge.isIntroductory
      ? configuration.catalogue[product.productIdentifier]?.subscription?.introductoryOffer : nil
    let offer = offer ?? introductory
    let price = offer.map { OnsidePrice(value: $0.price, currencyCode: product.price.currencyCode) } ?? product.price
    return record(entry, orderID: orderID, price: price, offer, at: time)
  }

  private func record(
    _ entry: QueuedTransaction, orderID: String, price: OnsidePrice, _ offer: CatalogueOffer?, at time: Double
  ) -> OnsidePurchase {
    let identifier = entry.transaction.payment.product.productIdentifier
    var replaced: OnsidePurchase?
    if case .replace(let presentID)? = subscriptionChange(to: identifier, by: entry.accountID) {
      replaced = ledger[presentID]
    }
    var order = makeOrder(entry, id: orderID, price: price, replaced: replaced, at: time)
    guard let subscription = configuration.catalogue[identifier]?.subscription else {
      changeLedger { $0.purchases.append(order) }
      return order
    }
    order.expiresAt = end(of: order, offer.map { OnsideOfferLength($0) }, usually: subscription.period)
    changeLedger { $0.start(order, group: subscription.groupIdentifier, offer: offer) }
    return order
  }

  private func makeOrder(
    _ entry: QueuedTransaction, id: String, price: OnsidePrice, replaced: OnsidePurchase?, at time: Double
  ) -> OnsidePurchase {
    let product = entry.transaction.payment.product
    return OnsidePurchase(
      id: id,
      originalID: replaced?.originalID ?? id,
      accountID: entry.accountID,
      productIdentifier: product.productIdentifier,
      type: configuration.catalogue[product.productIdentifier]?.type ?? .consumable,
      groupIdentifier: product.subscriptionGroupIdentifier,
      price: price,
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
    return ledger.change(to: identifier, group: group, by: accountID, at: now, grace: gracePeriod) {
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

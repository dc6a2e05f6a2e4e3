import BridgeRuntime

extension OnsideLedger {
  /// What renewals depend on.
  struct RenewalTerms {
    /// A product's period; nil if the product is no longer a subscription.
    let period: (_ productIdentifier: String) -> OnsidePeriod?
    /// The session's clock.
    let rate: StoreKitTimeRate
    /// The price of a product's period in a country; nil if it is no longer sold there. With `isReduced`, it is that of the offer: the
    /// introductory one if `offerID` is nil.
    let price:
      (_ productIdentifier: String, _ countryCode: String, _ isReduced: Bool, _ offerID: String?) -> OnsidePrice?
    /// Whether renewals fail.
    let hasBillingIssues: Bool
    /// How long the store tries to charge a failed renewal, in milliseconds.
    let billingRetryPeriod: Double
  }

  /// How many missed renewals are made up one by one. If many more were missed, only the last ones are recorded.
  private static let catchUpLimit = 1000.0

  // MARK: Steps

  /// When the store takes its next step by itself, in milliseconds since the Unix epoch: it renews a subscription, fails to, or ends it. Nil
  /// if there is no subscription.
  func nextStep(terms: RenewalTerms) -> Double? {
    subscriptions.compactMap { dueTime(of: $0, terms: terms) }.min()
  }

  /// Takes the earliest step that is due. Returns false, and changes nothing, if none is.
  ///
  /// Whoever looks, and when, makes no difference: the steps come in the order of their times, and each depends on nothing else.
  mutating func takeStep(at now: Double, terms: RenewalTerms) -> Bool {
    let due = subscriptions.indices.compactMap { index in
      dueTime(of: subscriptions[index], terms: terms).map { (index: index, time: $0) }
    }
    guard let (index, time) = due.min(by: { $0.time < $1.time }), time <= now else { return false }
    var subscription = subscriptions[index]
    if renew(&subscription, at: now, terms: terms) {
      subscriptions[index] = subscription
    } else {
      subscriptions.remove(at: index)
    }
    return true
  }

  private func dueTime(of subscription: OnsideSubscription, terms: RenewalTerms) -> Double? {
    guard let end = self[subscription.orderID]?.expiresAt else { return nil }
    // A failed renewal is tried until its time is over. It ends or succeeds at once when its reason to wait is gone.
    let waits =
      subscription.isInBillingRetry && terms.hasBillingIssues && subscription.renewsAutomatically
      && !subscription.needsConsent
    return waits ? end + terms.billingRetryPeriod : end
  }

  /// Renews a subscription whose period has ended, or notes that the renewal has failed. Returns false if the subscription ends.
  private mutating func renew(_ subscription: inout OnsideSubscription, at now: Double, terms: RenewalTerms) -> Bool {
    guard let order = self[subscription.orderID], let expiresAt = order.expiresAt, subscription.renewsAutomatically,
      !subscription.needsConsent
    else { return false }
    if terms.hasBillingIssues {
      defer { subscription.isInBillingRetry = true }
      return !subscription.isInBillingRetry
    }
    let productIdentifier = subscription.nextProductIdentifier ?? subscription.productIdentifier
    // The increase and the offer apply to the current product only.
    let changesProduct = subscription.nextProductIdentifier != nil
    let increase = changesProduct ? nil : subscription.priceIncrease
    let isReduced = subscription.renewsAtReducedPrice
    var start = subscription.isInBillingRetry ? now : expiresAt
    guard let usualPrice = terms.price(productIdentifier, order.countryCode, isReduced, subscription.offerID),
      let period = terms.period(productIdentifier)
    else { return false }
    let price = isReduced ? usualPrice : increase?.presentPrice ?? usualPrice
    let anchor = subscription.isInBillingRetry ? start : subscription.anchoredAt ?? order.purchasedAt
    var number = renewalCount(of: subscription, order) + 1
    if !isReduced, !changesProduct {
      number += skipMissedPeriods(of: period, from: &start, anchor: anchor, to: now, terms.rate)
    }
    let end = terms.rate.end(of: period, from: start, anchor: anchor)
    guard end > start else { return false }
    let id = Self.renewalID(number, ofChain: order.originalID)
    purchases.append(renewal(of: order, productIdentifier, price: price, from: start, to: end, id: id))
    subscription.orderID = id
    subscription.renewals = number
    subscription.productIdentifier = productIdentifier
    subscription.nextProductIdentifier = nil
    subscription.priceIncrease = increase
    subscription.offerLength = nil
    subscription.anchoredAt = period.followsCalendar ? anchor : end
    subscription.isInBillingRetry = false
    if isReduced { subscription.introductoryPeriodsLeft -= 1 }
    if changesProduct {
      subscription.introductoryPeriodsLeft = 0
      subscription.offerID = nil
    }
    if number > Self.renewalLimit { trimRenewals(ofChain: order.originalID) }
    return true
  }

  /// Moves `start` over whole periods, if so many were missed that the orders of these would be trimmed. Returns their number.
  private func skipMissedPeriods(
    of period: OnsidePeriod, from start: inout Double, anchor: Double, to now: Double, _ rate: StoreKitTimeRate
  ) -> Int {
    var count = 0
    while true {
      let length = rate.end(of: period, from: start, anchor: anchor) - start
      guard length > 0, (now - start) / length > Self.catchUpLimit else { return count }
      // Periods of the calendar differ by a tenth. More than the number of renewals that are kept must be left.
      let skipped = Int((now - start) / length * 0.8)
      start = rate.end(of: period, times: skipped, from: start, anchor: anchor)
      count += skipped
    }
  }

  // MARK: Orders

  /// How often the chain of a subscription has renewed.
  private func renewalCount(of subscription: OnsideSubscription, _ order: OnsidePurchase) -> Int {
    // An older store has not counted.
    subscription.renewals ?? purchases.indices { $0.originalID == order.originalID && $0.reason == .renewal }.count
  }

  /// The id of a renewal. It follows from the chain, so that it is the same on whichever device, and however late, the store renews.
  private static func renewalID(_ number: Int, ofChain originalID: String) -> String {
    BridgeRandom(seed: 0).stream("\(originalID)/\(number)").uuid()
  }

  private func renewal(
    of order: OnsidePurchase,
    _ productIdentifier: String,
    price: OnsidePrice,
    from start: Double,
    to end: Double,
    id: String
  ) -> OnsidePurchase {
    OnsidePurchase(
      id: id,
      originalID: order.originalID,
      accountID: order.accountID,
      productIdentifier: productIdentifier,
      type: order.type,
      groupIdentifier: order.groupIdentifier,
      price: price,
      countryCode: order.countryCode,
      appAccountToken: order.appAccountToken,
      reason: .renewal,
      purchasedAt: start,
      originalPurchasedAt: order.originalPurchasedAt,
      expiresAt: end
    )
  }

  private mutating func trimRenewals(ofChain originalID: String) {
    let renewals = purchases.indices { $0.originalID == originalID && $0.reason == .renewal }
    for index in renewals.dropLast(Self.renewalLimit).reversed() { _ = purchases.remove(at: index) }
  }
}

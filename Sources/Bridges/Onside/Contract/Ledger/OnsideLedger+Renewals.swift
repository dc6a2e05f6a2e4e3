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
    /// Makes the id of an order.
    let makeID: () -> String
  }

  /// How many missed renewals are made up one by one. If more were missed, the others are skipped, except for the last ones.
  private static let catchUpLimit = 1000

  /// Renews the subscriptions whose period has ended, as many times as needed, and removes those that expire. A renewal that fails for the
  /// first time ends the step for its subscription, so that nobody misses the failure. Repeat the step until it changes nothing.
  mutating func advance(to now: Double, terms: RenewalTerms) {
    for subscription in subscriptions {
      var renewed = subscription
      let continues = renew(&renewed, to: now, terms: terms)
      let index = subscriptions.firstIndex {
        $0.accountID == subscription.accountID && $0.groupIdentifier == subscription.groupIdentifier
      }
      guard let index else { continue }
      if continues { subscriptions[index] = renewed } else { subscriptions.remove(at: index) }
    }
  }

  /// Renews one subscription. Returns false if it expires.
  private mutating func renew(_ subscription: inout OnsideSubscription, to now: Double, terms: RenewalTerms) -> Bool {
    var count = 0
    while let order = self[subscription.orderID], let expiresAt = order.expiresAt, expiresAt <= now {
      guard subscription.renewsAutomatically else { return false }
      let productIdentifier = subscription.nextProductIdentifier ?? subscription.productIdentifier
      // The increase and the offer apply to the current product only.
      let changesProduct = subscription.nextProductIdentifier != nil
      let increase = changesProduct ? nil : subscription.priceIncrease
      if increase?.endsSubscription == true { return false }
      if terms.hasBillingIssues {
        let isFirst = !subscription.isInBillingRetry
        subscription.isInBillingRetry = true
        return isFirst || now < expiresAt + terms.billingRetryPeriod
      }
      var start = subscription.isInBillingRetry ? now : expiresAt
      let isReduced = subscription.introductoryPeriodsLeft > 0 && !changesProduct
      guard let usualPrice = terms.price(productIdentifier, order.countryCode, isReduced, subscription.offerID),
        let period = terms.period(productIdentifier)
      else { return false }
      let anchor = subscription.isInBillingRetry ? start : subscription.anchoredAt ?? order.purchasedAt
      var end = terms.rate.end(of: period, from: start, anchor: anchor)
      guard end > start else { return false }
      let price = increase.map { isReduced ? usualPrice : $0.price } ?? usualPrice
      count += 1
      if count == Self.catchUpLimit, end < now {
        // Skip whole periods: their orders would be trimmed below anyway.
        let length = end - start
        start += max(0, ((now - start) / length).rounded(.down) - Double(Self.renewalLimit)) * length
        end = start + length
      }
      purchases.append(renewal(of: order, productIdentifier, price: price, from: start, to: end, id: terms.makeID()))
      subscription.orderID = purchases[purchases.count - 1].id
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
    }
    if count > 0 { trimRenewals(ofChain: self[subscription.orderID]?.originalID) }
    return true
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

  private mutating func trimRenewals(ofChain originalID: String?) {
    let renewals = purchases.filter { $0.originalID == originalID && $0.reason == .renewal }
    guard renewals.count > Self.renewalLimit else { return }
    let dropped = Set(renewals.dropLast(Self.renewalLimit).map(\.id))
    purchases.removeAll { dropped.contains($0.id) }
  }
}

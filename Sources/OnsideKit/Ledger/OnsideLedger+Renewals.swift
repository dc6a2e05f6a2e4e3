extension OnsideLedger {
  /// What renewals depend on.
  struct RenewalTerms {
    /// How long a period of a product lasts on the session's clock; nil for a product that is no subscription any more.
    let end: (_ productIdentifier: String, _ start: Double) -> Double?
    /// What a period of a product costs in a country; nil where it is not sold any more.
    let price: (_ productIdentifier: String, _ countryCode: String, _ isIntroductory: Bool) -> OnsidePrice?
    /// Whether renewals fail.
    let hasBillingIssues: Bool
    /// Makes the id of an order.
    let makeID: () -> String
  }

  /// How many renewals are caught up with one by one; of more only the last ones are written.
  private static let catchUpLimit = 1000

  /// Renews the subscriptions whose period is over, as often as it takes, and drops those that lapse.
  mutating func advance(to now: Double, terms: RenewalTerms) {
    for subscription in subscriptions {
      var renewed = subscription
      let keep = renew(&renewed, to: now, terms: terms)
      let index = subscriptions.firstIndex {
        $0.accountID == subscription.accountID && $0.groupIdentifier == subscription.groupIdentifier
      }
      guard let index else { continue }
      if keep { subscriptions[index] = renewed } else { subscriptions.remove(at: index) }
    }
  }

  /// Renews one subscription; false when it lapses.
  private mutating func renew(_ subscription: inout OnsideSubscription, to now: Double, terms: RenewalTerms) -> Bool {
    var count = 0
    while let order = self[subscription.orderID], let expiresAt = order.expiresAt, expiresAt <= now {
      guard subscription.renewsAutomatically else { return false }
      let productIdentifier = subscription.nextProductIdentifier ?? subscription.productIdentifier
      if terms.hasBillingIssues {
        subscription.isInBillingRetry = true
        // A renewal is tried for one more period; how long the store tries is ours.
        return now < terms.end(productIdentifier, expiresAt) ?? now
      }
      var start = subscription.isInBillingRetry ? now : expiresAt
      let isIntroductory = subscription.introductoryPeriodsLeft > 0
      guard let price = terms.price(productIdentifier, order.countryCode, isIntroductory),
        var end = terms.end(productIdentifier, start), end > start
      else { return false }
      count += 1
      if count == Self.catchUpLimit, end < now {
        // Whole periods that nobody will look at are skipped.
        let length = end - start
        start += max(0, ((now - start) / length).rounded(.down) - Double(Self.renewalLimit)) * length
        end = start + length
      }
      purchases.append(renewal(of: order, productIdentifier, price: price, from: start, to: end, id: terms.makeID()))
      subscription.orderID = purchases[purchases.count - 1].id
      subscription.productIdentifier = productIdentifier
      subscription.nextProductIdentifier = nil
      subscription.isInBillingRetry = false
      if isIntroductory { subscription.introductoryPeriodsLeft -= 1 }
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

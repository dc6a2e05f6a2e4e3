extension OnsideLedger {
  /// The effect of buying a subscription, given what the account holds of its group.
  enum SubscriptionChange: Equatable {
    /// A new subscription starts.
    case start
    /// The account holds this product. It is not charged; the subscription renews again from now on.
    case resume(orderID: String)
    /// A higher level, or another product of the same level; or any product, if the current one has lapsed since its renewal failed. It starts
    /// at once and replaces the current one.
    case replace(orderID: String)
    /// A lower level. Nothing is charged until the current period ends.
    case changeAtRenewal(orderID: String)
  }

  /// The effect of buying `productIdentifier` now. `grace` returns how long a subscription stays active when its renewal fails, in
  /// milliseconds; `level` returns a product's level in its group, 1 is the highest.
  func change(
    to productIdentifier: String,
    group: String,
    by accountID: String,
    at now: Double,
    grace: (OnsideSubscription) -> Double,
    level: (String) -> Int?
  ) -> SubscriptionChange {
    guard
      let present = subscriptions.first(where: { $0.accountID == accountID && $0.groupIdentifier == group })
    else { return .start }
    if hasLapsed(present, at: now, grace: grace(present)) { return .replace(orderID: present.orderID) }
    if present.productIdentifier == productIdentifier { return .resume(orderID: present.orderID) }
    let isLower = (level(productIdentifier) ?? 1) > (level(present.productIdentifier) ?? 1)
    return isLower ? .changeAtRenewal(orderID: present.orderID) : .replace(orderID: present.orderID)
  }

  /// Makes a subscription renew again, with the same product. `price` is the one that the person was shown: if it is that of an increase, the
  /// person agrees to the increase. Otherwise, an increase waits for consent again.
  mutating func resume(orderID: String, at price: OnsidePrice) {
    updateSubscription(orderID) {
      $0.renewsAutomatically = true
      $0.nextProductIdentifier = nil
      if $0.priceIncrease?.price == price {
        $0.priceIncrease?.status = .agreed
      } else if $0.priceIncrease?.status == .declined {
        $0.priceIncrease?.status = .pending
      }
    }
  }

  /// Makes a subscription renew with another product. This ends an increase of the present product's price.
  mutating func changeAtRenewal(orderID: String, to productIdentifier: String) {
    updateSubscription(orderID) {
      $0.renewsAutomatically = true
      $0.nextProductIdentifier = productIdentifier
      $0.priceIncrease = nil
    }
  }

  /// Adds the first order of a subscription. It ends the account's current subscription of the same group, if there is one.
  mutating func start(_ order: OnsidePurchase, group: String, offer: CatalogueOffer?) {
    for present in subscriptions where present.accountID == order.accountID && present.groupIdentifier == group {
      endPaidTime(of: present, at: order.purchasedAt)
    }
    let replaced = subscriptions.first {
      $0.accountID == order.accountID && $0.groupIdentifier == group
        && self[$0.orderID]?.originalID == order.originalID
    }
    subscriptions.removeAll { $0.accountID == order.accountID && $0.groupIdentifier == group }
    purchases.append(order)
    // After an offer of days or weeks, the day on which it ends counts.
    let anchoredAt = offer?.period.followsCalendar == false ? order.expiresAt : order.purchasedAt
    let left = offer.map { $0.paymentMode == .payAsYouGo ? $0.numberOfPeriods - 1 : 0 } ?? 0
    subscriptions.append(
      OnsideSubscription(
        accountID: order.accountID, groupIdentifier: group, productIdentifier: order.productIdentifier,
        orderID: order.id, introductoryPeriodsLeft: left, offerID: offer?.offerID,
        offerLength: offer.map { OnsideOfferLength($0) }, anchoredAt: anchoredAt,
        renewals: replaced.map(\.renewals) ?? 0))
  }

  /// The subscription whose current or first order this is.
  func subscription(order orderID: String) -> OnsideSubscription? {
    guard let originalID = self[orderID]?.originalID else { return nil }
    return subscriptions.first { $0.orderID == orderID || self[$0.orderID]?.originalID == originalID }
  }

  /// Expires a subscription now. Returns false if this is not the current or first order of one.
  mutating func expireSubscription(_ orderID: String, at now: Double) -> Bool {
    guard let present = subscription(order: orderID) else { return false }
    endPaidTime(of: present, at: now)
    subscriptions.removeAll { $0.orderID == present.orderID }
    return true
  }

  /// Makes a subscription renew by itself, or end with its period. Returns false if this is not the current or first order of one.
  mutating func setRenewal(_ renews: Bool, ofSubscription orderID: String) -> Bool {
    guard let present = subscription(order: orderID) else { return false }
    updateSubscription(present.orderID) {
      // As in resume(orderID:): it could not renew otherwise.
      if renews, !$0.renewsAutomatically { $0.priceIncrease?.status = .agreed }
      $0.renewsAutomatically = renews
    }
    return true
  }

  /// Ends the current period of a subscription now. The next one begins on a new day of the month.
  mutating func endPeriod(of subscription: OnsideSubscription, at now: Double) {
    endPaidTime(of: subscription, at: now)
    updateSubscription(subscription.orderID) { $0.anchoredAt = now }
  }

  /// What is paid ends now, unless it has ended before: if a renewal has failed, nobody has paid for the time since then.
  private mutating func endPaidTime(of subscription: OnsideSubscription, at now: Double) {
    update(subscription.orderID) { $0.expiresAt = min($0.expiresAt ?? now, now) }
  }

  mutating func updateSubscription(_ orderID: String, _ change: (inout OnsideSubscription) -> Void) {
    guard let index = subscriptions.firstIndex(where: { $0.orderID == orderID }) else { return }
    change(&subscriptions[index])
  }
}

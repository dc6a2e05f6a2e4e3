/// A change of the ledger of which the publisher's backend can be notified. Names and meanings are those of App Store Server Notifications V2,
/// since OnsideKit publishes none.
public struct OnsideLedgerChange: Sendable, Hashable {
  /// What has happened: `notificationType`.
  public enum Kind: String, Sendable {
    /// A product that does not renew was bought.
    case oneTimeCharge = "ONE_TIME_CHARGE"
    /// A subscription has begun.
    case subscribed = "SUBSCRIBED"
    /// A subscription has renewed.
    case renewed = "DID_RENEW"
    /// A subscription has ended.
    case expired = "EXPIRED"
    /// A renewal has failed. The store tries again.
    case renewalFailed = "DID_FAIL_TO_RENEW"
    /// The automatic renewal of a subscription was switched on or off.
    case renewalStatusChanged = "DID_CHANGE_RENEWAL_STATUS"
    /// A subscription has another product, now or from the next renewal on.
    case renewalProductChanged = "DID_CHANGE_RENEWAL_PREF"
    /// A subscription becomes more expensive, if the person consents.
    case priceIncreased = "PRICE_INCREASE"
    /// An order was refunded.
    case refunded = "REFUND"
    /// A refund has taken an order from another member of the buyer's family.
    case revoked = "REVOKE"
  }

  /// What has happened.
  public let kind: Kind
  /// More about it, such as `INITIAL_BUY`; nil if there is nothing to add.
  public let subtype: String?
  /// The order concerned, as it is now.
  public let order: OnsidePurchase
  /// The order's subscription as it is now, or as it was when it ended; nil if the order belongs to none.
  public let subscription: OnsideSubscription?

  /// Whether the subscription has ended.
  public var hasEnded: Bool { kind == .expired || kind == .refunded || kind == .revoked }
}

extension Onside {
  /// What a refund means to the other members of the buyer's family who have the order too: one change for each of them, without the buyer's
  /// token. None for any other change.
  package func revocations(by change: OnsideLedgerChange) -> [OnsideLedgerChange] {
    guard change.kind == .refunded else { return [] }
    let order = change.order
    return accounts.filter { $0.id != order.accountID && launch.belonging(to: $0.id)(order) }.map { _ in
      OnsideLedgerChange(kind: .revoked, subtype: nil, order: order.withoutToken, subscription: nil)
    }
  }
}

extension OnsideLedger {
  /// The changes since an earlier state, in the order in which they happened.
  ///
  /// - Parameters:
  ///   - former: The earlier state.
  ///   - grace: How long a subscription stays active when its renewal fails, in milliseconds.
  public func changes(
    since former: OnsideLedger, grace: (OnsideSubscription) -> Double
  ) -> [OnsideLedgerChange] {
    orderChanges(since: former, grace: grace)
      + former.subscriptions.flatMap { subscriptionChanges($0, since: former, grace: grace) }
  }

  // MARK: Orders

  private func orderChanges(
    since former: OnsideLedger, grace: (OnsideSubscription) -> Double
  ) -> [OnsideLedgerChange] {
    let same = former.purchases.countOfSame(as: purchases)
    let earlier = Dictionary(former.purchases[same...].map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    return purchases[same...].flatMap { order -> [OnsideLedgerChange] in
      var changes: [OnsideLedgerChange] = []
      let known = earlier[order.id]
      if known == nil { changes.append(purchaseChange(of: order, since: former, grace: grace)) }
      if order.revokedAt != nil, known?.revokedAt == nil {
        changes.append(OnsideLedgerChange(kind: .refunded, subtype: nil, order: order, subscription: nil))
      }
      return changes
    }
  }

  private func purchaseChange(
    of order: OnsidePurchase, since former: OnsideLedger, grace: (OnsideSubscription) -> Double
  ) -> OnsideLedgerChange {
    let (kind, subtype) = kind(of: order, since: former, grace: grace)
    let subscription = subscriptions.first {
      $0.accountID == order.accountID && $0.groupIdentifier == order.groupIdentifier
    }
    return OnsideLedgerChange(kind: kind, subtype: subtype, order: order, subscription: subscription)
  }

  private func kind(
    of order: OnsidePurchase, since former: OnsideLedger, grace: (OnsideSubscription) -> Double
  ) -> (kind: OnsideLedgerChange.Kind, subtype: String?) {
    guard order.type == .recurringSubscription, let group = order.groupIdentifier else { return (.oneTimeCharge, nil) }
    let present = former.subscriptions.first { $0.accountID == order.accountID && $0.groupIdentifier == group }
    if order.reason == .renewal {
      let isFirst = present.map { self[$0.orderID]?.expiresAt ?? 0 <= order.purchasedAt } ?? false
      return (.renewed, isFirst && present?.isInBillingRetry == true ? "BILLING_RECOVERY" : nil)
    }
    if let present, order.originalID != order.id {
      let hasLapsed = former.hasLapsed(present, at: order.purchasedAt, grace: grace(present))
      return hasLapsed ? (.subscribed, "RESUBSCRIBE") : (.renewalProductChanged, "UPGRADE")
    }
    let isFormerCustomer = former.purchases.contains {
      $0.accountID == order.accountID && $0.groupIdentifier == group
    }
    return (.subscribed, isFormerCustomer ? "RESUBSCRIBE" : "INITIAL_BUY")
  }

  // MARK: Subscriptions

  private func subscriptionChanges(
    _ former: OnsideSubscription, since ledger: OnsideLedger, grace: (OnsideSubscription) -> Double
  ) -> [OnsideLedgerChange] {
    let present = subscriptions.first {
      $0.accountID == former.accountID && $0.groupIdentifier == former.groupIdentifier
    }
    guard let present else { return end(of: former, since: ledger) }
    guard let order = self[present.orderID] else { return [] }
    // The change of the new order already reports an upgrade.
    if present.orderID != former.orderID, order.reason == .purchase { return [] }
    func change(_ kind: OnsideLedgerChange.Kind, _ subtype: String?) -> OnsideLedgerChange {
      OnsideLedgerChange(kind: kind, subtype: subtype, order: order, subscription: present)
    }
    var changes: [OnsideLedgerChange] = []
    if former.renewsAutomatically != present.renewsAutomatically {
      let subtype = present.renewsAutomatically ? "AUTO_RENEW_ENABLED" : "AUTO_RENEW_DISABLED"
      changes.append(change(.renewalStatusChanged, subtype))
    }
    if present.orderID == former.orderID, former.nextProductIdentifier != present.nextProductIdentifier {
      changes.append(change(.renewalProductChanged, present.nextProductIdentifier == nil ? nil : "DOWNGRADE"))
    }
    if let increase = present.priceIncrease, increase != former.priceIncrease, increase.status != .declined {
      changes.append(change(.priceIncreased, increase.status == .pending ? "PENDING" : "ACCEPTED"))
    }
    if present.isInBillingRetry, !former.isInBillingRetry {
      changes.append(change(.renewalFailed, grace(present) > 0 ? "GRACE_PERIOD" : nil))
    }
    return changes
  }

  private func end(of former: OnsideSubscription, since ledger: OnsideLedger) -> [OnsideLedgerChange] {
    // It may have renewed a few times before it ended.
    let chain = ledger[former.orderID]?.originalID
    guard let order = purchases.last(where: { $0.originalID == chain && $0.accountID == former.accountID }),
      order.revokedAt == nil,
      // If the order was deleted, an older one or none is left. Deletions are not reported.
      order.purchasedAt >= ledger[former.orderID]?.purchasedAt ?? 0
    else { return [] }
    let subtype =
      if former.isInBillingRetry, former.renewsAutomatically {
        "BILLING_RETRY"
      } else if former.nextProductIdentifier == nil, former.priceIncrease?.endsSubscription == true {
        "PRICE_INCREASE"
      } else if former.renewsAutomatically, order.expiresAt == ledger[order.id]?.expiresAt {
        "PRODUCT_NOT_FOR_SALE"
      } else {
        "VOLUNTARY"
      }
    return [OnsideLedgerChange(kind: .expired, subtype: subtype, order: order, subscription: former)]
  }
}

extension Onside {
  /// Whether the account has never had a subscription of a group.
  func isNewSubscriber(_ account: String, of group: String) -> Bool {
    ledger.isEligibleForIntroductoryPrice(account, group: group)
  }
}

extension OnsideSubscription {
  /// The offer at whose price the present period was bought; nil for the usual price.
  func presentOffer(_ order: OnsidePurchase, in catalogue: Catalogue) -> CatalogueOffer? {
    guard let offer = catalogue[productIdentifier]?.subscription?.offer(offerID) else { return nil }
    if offerLength != nil { return offer }
    // With "pay as you go", renewals cost the offer's price, too.
    return offer.paymentMode == .payAsYouGo && order.reason == .renewal && order.price.value == offer.price
      ? offer : nil
  }
}

extension QueuedTransaction {
  /// Whether it was bought and the app has not finished it.
  var isUnfinishedPurchase: Bool { stage == .ended && transaction.transactionState == .purchased }
}

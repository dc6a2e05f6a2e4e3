extension OnsideLaunch {
  /// Whether a subscription is active.
  func isActive(_ subscription: OnsideSubscription) -> Bool {
    ledger.isLive(subscription, at: now, grace: gracePeriod(of: subscription))
  }

  /// Checks that an account can buy with an offer.
  func checkOffer(
    _ offerID: String, of productIdentifier: String, account accountID: String
  ) throws(OnsideOfferError) {
    let subscription = configuration.catalogue[productIdentifier]?.subscription
    guard let subscription, subscription.offer(offerID) != nil else {
      let offers = (subscription?.promotionalOffers ?? []) + (subscription?.winBackOffers ?? [])
      throw .unknown(offerID, product: productIdentifier, known: offers.compactMap(\.offerID))
    }
    let group = subscription.groupIdentifier
    let ledger = ledger
    guard !ledger.isEligibleForIntroductoryPrice(accountID, group: group) else { throw .forSubscribers(offerID) }
    let isSubscribed = ledger.subscriptions.contains { $0.accountID == accountID && $0.groupIdentifier == group }
    let isWinBack = subscription.winBackOffers.contains { $0.offerID == offerID }
    if isWinBack, isSubscribed { throw .forFormerSubscribers(offerID) }
  }
}

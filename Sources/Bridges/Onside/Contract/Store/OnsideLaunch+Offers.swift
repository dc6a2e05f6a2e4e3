import InAppPurchases

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

  /// Why the account that is signed in cannot have the offer of a payment; nil if it can, or if there is no offer or no account yet.
  func refusal(ofOffer payment: OnsidePayment) -> InAppError? {
    guard let offer = payment.offerID, let account = state.account?.id else { return nil }
    let product = payment.product.productIdentifier
    do throws(OnsideOfferError) {
      try checkOffer(offer, of: product, account: account)
    } catch {
      return InAppError(offer: error)
    }
    let isSubscribed = ledger.subscriptions.contains {
      $0.accountID == account && $0.productIdentifier == product && isActive($0)
    }
    if !isSubscribed { return nil }
    return InAppError(
      .notEligible, "The account has a subscription of \(product) now, so the offer would change nothing.")
  }
}

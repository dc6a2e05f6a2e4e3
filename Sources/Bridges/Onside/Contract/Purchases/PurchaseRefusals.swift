import InAppPurchases

// Why a purchase is refused before it enters the queue, in the order of the checks. PurchaseIntake asks for the login, and the queue itself says
// why a payment has failed.
extension OnsideLaunch {
  /// The product of a purchase.
  ///
  /// - Throws: An error if no such product is sold.
  func product(of purchase: InAppPurchase) throws(InAppError) -> OnsideProduct {
    let product =
      switch purchase.terms {
      case .loaded: state.launch.loadedProducts[purchase.productID]
      case .present: product(purchase.productID, in: territory.alpha2)
      }
    if let product { return product }
    throw InAppError(.unknownProduct, "No product \(purchase.productID.prefix(100)) is sold in this country.")
  }

  /// The limit that the session, or the server, has reached, in words; nil while there is room for another purchase.
  var reachedLimit: String? {
    let limits = configuration.limits
    let transactions = state.transactions
    let orders = ledger.purchases.count
    if transactions.count >= limits.transactions { return "\(limits.transactions) unfinished transactions" }
    // A payment that is under way will be an order. They are counted only when that can matter.
    if orders + transactions.count >= limits.orders,
      orders + transactions.count(where: { $0.transaction.transactionState == .purchasing }) >= limits.orders
    {
      return "\(limits.orders) orders"
    }
    return orderTotal?.reachedLimit(ofSessionWith: orders)
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

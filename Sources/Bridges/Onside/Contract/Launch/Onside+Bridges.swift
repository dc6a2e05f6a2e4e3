package import BridgeCore
import BridgeRuntime

/// The store for other bridges of the app, which have words of their own for it.
extension Onside {
  /// Why a payment of another bridge did not enter the queue.
  package enum PaymentRefusal: Error, Sendable, Hashable {
    /// The person has dismissed the login.
    case loginDiscarded
    /// The session has reached this limit.
    case limit(String)
    /// The account cannot have the offer.
    case offer(OnsideOfferError)
    /// The account has the subscription already, and it would not be charged.
    case alreadySubscribed(String)
  }

  /// Adds a payment to the queue. If nobody is signed in, the login comes first.
  ///
  /// - Parameters:
  ///   - payment: The payment.
  ///   - asker: The page that shows the sheets; nil for any.
  ///   - enters: Called with the transaction's id before it enters the queue.
  /// - Throws: ``PaymentRefusal``. In this case there is no transaction.
  package func add(
    _ payment: OnsidePayment, askedBy asker: BridgeHost.ID?, enters: (UUID) -> Void
  ) async throws(PaymentRefusal) {
    let isSignedIn = await OnsideLaunch.$asker.withValue(asker) { await launch.signIn() }
    let queue = defaultPaymentQueue()
    guard isSignedIn, let account, let transaction = queue.makeTransaction(payment) else { throw .loginDiscarded }
    if let reason = purchaseIntake.reachedLimit { throw .limit(reason) }
    if let offer = payment.offerID { try check(offer, of: payment.product, account: account.id) }
    enters(transaction.id)
    queue.enqueue(transaction, askedBy: asker)
  }

  private func check(_ offer: String, of product: OnsideProduct, account: String) throws(PaymentRefusal) {
    do throws(OnsideOfferError) {
      try checkOffer(offer, of: product.productIdentifier, account: account)
    } catch {
      throw .offer(error)
    }
    let isSubscribed = ledger.subscriptions.contains {
      $0.accountID == account && $0.productIdentifier == product.productIdentifier && isActive($0)
    }
    if isSubscribed { throw .alreadySubscribed(product.productIdentifier) }
  }

  /// Restores the purchases of the account. If nobody is signed in, the login comes first.
  ///
  /// - Parameter asker: The page that shows the sheets; nil for any.
  package func restore(askedBy asker: BridgeHost.ID?) async throws(OnsidePaymentQueueRequestRestoreError) {
    let refusal: OnsidePaymentQueueRequestRestoreError? = await OnsideLaunch.$asker.withValue(asker) {
      do throws(OnsidePaymentQueueRequestRestoreError) {
        try await defaultPaymentQueue().restoreCompletedTransactions()
        return nil
      } catch {
        return error
      }
    }
    if let refusal { throw refusal }
  }

  /// The products with these identifiers as they are sold in the present country, after the delay and with the error that a test has set.
  package func loadProducts(_ identifiers: [String]) async throws(OnsideProductsRequestError) -> [OnsideProduct] {
    await launch.delay(.loadProducts)
    await launch.roundTrips.wait()
    return try launch.loadProducts(identifiers).found.map(\.product)
  }

  /// The product as it is sold in the present country; nil if it is not sold there.
  package func product(_ identifier: String) -> OnsideProduct? {
    launch.product(identifier, in: launch.territory.alpha2)
  }

  /// What is for sale.
  package var catalogue: Catalogue { launch.configuration.catalogue }

  /// The bundle identifier of the app.
  package var bundleIdentifier: String { launch.configuration.bundleIdentifier }

  /// The account's history as a compact JWS.
  package func signedHistory() async throws(OnsideSignedInAppsHistoryRequestError) -> String {
    switch await launch.signedHistory(at: launch.endOfDelay(.getSignedInAppsHistory)) {
    case .success(let history): return history.string ?? ""
    case .failure(let error): throw error
    }
  }

  /// The present time, in milliseconds since the Unix epoch.
  package var now: Double { launch.now }

  /// Whether an order belongs to an account: its own, or one that its family shares.
  package func belonging(to account: String) -> (OnsidePurchase) -> Bool { launch.belonging(to: account) }

  /// The orders that a restore returns for an account.
  package func restorable(for account: String) -> [OnsidePurchase] { launch.restorable(for: account) }

  /// Whether a subscription is active.
  package func isActive(_ subscription: OnsideSubscription) -> Bool {
    ledger.isLive(subscription, at: launch.now, grace: gracePeriod(of: subscription))
  }

  /// Whether the account has never had a subscription of a group.
  package func isNewSubscriber(_ account: String, of group: String) -> Bool {
    ledger.isEligibleForIntroductoryPrice(account, group: group)
  }
}

extension OnsideSubscription {
  /// The offer at whose price the present period was bought; nil for the usual price.
  package func presentOffer(_ order: OnsidePurchase, in catalogue: Catalogue) -> CatalogueOffer? {
    guard let offer = catalogue[productIdentifier]?.subscription?.offer(offerID) else { return nil }
    if offerLength != nil { return offer }
    // With "pay as you go", renewals cost the offer's price, too.
    return offer.paymentMode == .payAsYouGo && order.reason == .renewal && order.price.value == offer.price
      ? offer : nil
  }
}

extension QueuedTransaction {
  /// Whether it was bought and the app has not finished it.
  package var isUnfinishedPurchase: Bool { stage == .ended && transaction.transactionState == .purchased }

  /// Whether its outcome is final.
  package var hasEnded: Bool { stage == .ended }
}

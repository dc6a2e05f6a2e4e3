public import BridgeCore
public import BridgeRuntime

extension Onside {
  // MARK: Payment methods

  /// Shows the payment methods. If nobody is signed in, the login comes first (bridge reference, "presentPaymentMethodsManager"). Returns
  /// when the person has closed the sheet.
  ///
  /// - Throws: ``OnsidePaymentMethodsManagerError``. In this case the sheet was not shown.
  public func presentPaymentMethodsManager() async throws(OnsidePaymentMethodsManagerError) {
    await launch.delay(.presentPaymentMethodsManager)
    if let error = launch.takeError(of: .presentPaymentMethodsManager, as: OnsidePaymentMethodsManagerError.self) {
      throw error
    }
    if settings.localTesting { throw .notSupportedInLocalTesting }
    guard await launch.signIn(), let account else { throw .loginDiscarded }
    _ = await launch.present(.paymentMethods(account: account, methods: launch.configuration.paymentMethods))
  }

  // MARK: Attribution

  /// Records that a page was opened. The session's first page decides the attribution.
  ///
  /// - Parameters:
  ///   - url: The page's URL on its site, with query.
  ///   - referrer: The page's `document.referrer`; empty if there is none.
  public func noteVisit(url: String, referrer: String) {
    guard launch.state.firstVisit == nil, url.utf8.count <= OnsideLimits.urlBytes,
      referrer.utf8.count <= OnsideLimits.urlBytes
    else { return }
    launch.state.firstVisit = OnsideVisit(url: url, referrer: referrer)
  }

  /// Returns where the install came from (bridge reference, "getAttributionMetadata"). Needs no login.
  ///
  /// - Throws: ``OnsideAttributionMetadataError`` if a test has set one.
  public func attributionMetadata() async throws(OnsideAttributionMetadataError) -> OnsideAttributionMetadata {
    await launch.delay(.getAttributionMetadata)
    if let error = launch.takeError(of: .getAttributionMetadata, as: OnsideAttributionMetadataError.self) {
      throw error
    }
    return OnsideAttributionMetadata(text: settings.refererURL ?? state.firstVisit?.refererURL)
  }

  // MARK: History

  /// Makes a request for the signed history of the account. Keep it until it has finished.
  ///
  /// - Returns: The request, or `notLoggedIn` or `notSupportedInLocalTesting`.
  public func makeSignedInAppsHistoryRequest()
    -> Result<OnsideSignedInAppsHistoryRequest, OnsideSignedInAppsHistoryRequestError>
  {
    if let obstacle = launch.historyObstacle() { return .failure(obstacle) }
    return .success(OnsideSignedInAppsHistoryRequest(launch: launch))
  }

  /// The `TransactionHistory` of one order, as the merchant API has it; nil if the session has no such order.
  public func transactionHistory(ofOrder orderID: String) -> JSONValue? {
    ledger.history(
      ofOrder: orderID, bundleIdentifier: launch.configuration.bundleIdentifier,
      at: launch.clock.now.millisecondsSinceEpoch)
  }

  // MARK: Events

  /// Tracks an event by the rules of the contract, and passes it to ``onEventTracked``.
  ///
  /// - Returns: The event, with remarks on what was truncated or dropped.
  @discardableResult
  public func trackEvent(name: String, parameters: [String: JSONValue] = [:]) -> OnsideTrackedEvent {
    let event = OnsideEventRules.apply(
      name: name, parameters: parameters, trackedAt: launch.clock.now.millisecondsSinceEpoch)
    onEventTracked?(event)
    return event
  }

  // MARK: The store's side

  /// The orders and subscriptions of all accounts, up to now.
  public var ledger: OnsideLedger { launch.ledger }

  /// How long a subscription stays active when its renewal fails, in milliseconds: 0 without a grace period.
  public func gracePeriod(of subscription: OnsideSubscription) -> Double { launch.gracePeriod(of: subscription) }

  /// Refunds an order, as the store can at any time.
  ///
  /// - Parameters:
  ///   - orderID: The order.
  ///   - reason: The `revocation_reason` in the history. The contract does not name the values.
  /// - Returns: False if there is no such order, or if it was refunded before.
  @discardableResult
  public func refund(order orderID: String, reason: String = "REFUNDED") -> Bool {
    launch.changeLedger { $0.refund(orderID, at: launch.now, reason: reason) }
  }

  /// Adds an order as if an account had bought a product before. If it is not finished, the app receives it as a purchased transaction.
  ///
  /// - Parameters:
  ///   - productIdentifier: The product.
  ///   - accountID: The buyer.
  ///   - purchasedAt: When it was bought.
  ///   - isFinished: Whether the app has finished the transaction.
  ///   - appAccountToken: What the app passed to `purchase`.
  ///   - offerID: A promotional or win-back offer of the catalogue. Without one, a new subscriber gets the introductory offer.
  /// - Returns: The order, or nil if there is no such account or offer, or if the product is not sold in its country.
  public func seedPurchase(
    of productIdentifier: String,
    account accountID: String,
    purchasedAt: BridgeInstant,
    isFinished: Bool,
    appAccountToken: String? = nil,
    offerID: String? = nil
  ) -> OnsidePurchase? {
    guard let account = launch.accounts.first(where: { $0.id == accountID }),
      let product = launch.product(productIdentifier, in: account.countryCode)
    else { return nil }
    let orderID = launch.random.uuid()
    let offer = offerID.flatMap { launch.configuration.catalogue[productIdentifier]?.subscription?.offer($0) }
    guard offerID == nil || offer != nil else { return nil }
    let transaction = seededTransaction(of: product, account, appAccountToken: appAccountToken)
    let entry = QueuedTransaction(
      purchased: transaction, accountID: accountID, orderID: orderID, originalID: launch.originalID(ofOrder: orderID))
    let purchase = launch.seedPurchase(
      entry, orderID: orderID, at: purchasedAt.millisecondsSinceEpoch, offer: offer)
    if !isFinished { defaultPaymentQueue().enqueue(earlier: entry) }
    return purchase
  }

  /// Adds a transaction as if an account had begun to buy a product in an earlier launch. Observers receive it like any other.
  ///
  /// - Returns: The transaction, or nil if there is no such account or the product is not sold in its country.
  public func seedTransaction(
    of productIdentifier: String,
    account accountID: String,
    _ seed: OnsideTransactionSeed
  ) -> QueuedTransaction? {
    guard let account = launch.accounts.first(where: { $0.id == accountID }),
      let product = launch.product(productIdentifier, in: account.countryCode)
    else { return nil }
    let transaction = seededTransaction(of: product, account)
    let orderID = launch.random.uuid()
    let entry = QueuedTransaction(
      seed, transaction, accountID: accountID, charge: launch.charge(for: product, accountID), orderID: orderID,
      originalID: launch.originalID(ofOrder: orderID))
    defaultPaymentQueue().enqueue(earlier: entry)
    return entry
  }

  private func seededTransaction(
    of product: OnsideProduct, _ account: OnsideAccount, appAccountToken: String? = nil
  ) -> OnsidePaymentTransaction {
    OnsidePaymentTransaction(
      id: UUID(launch.random), payment: OnsidePayment(product: product, appAccountToken: appAccountToken),
      transactionState: .purchasing,
      storefront: launch.makeStorefront(in: account.countryCode))
  }

  /// Expires a subscription now. `orderID` is its current or first order. Returns false if there is none.
  @discardableResult
  public func expireSubscription(order orderID: String) -> Bool {
    launch.changeLedger { $0.expireSubscription(orderID, at: launch.now) }
  }

  /// Ends a subscription's period now and begins the next one. `orderID` is its current or first order. Returns false, and changes nothing,
  /// if there is none, or if it cannot renew.
  @discardableResult
  public func renewSubscription(order orderID: String) -> Bool {
    guard let present = ledger.subscription(order: orderID), present.renewsAutomatically else { return false }
    return launch.renewNow(present)
  }

  /// Makes a subscription more expensive from its next renewal at the usual price on, if the person consents. A sheet asks the account that is
  /// signed in. This is `requestPriceIncreaseConsentForTransaction` of StoreKitTest, with a price in addition.
  ///
  /// - Parameters:
  ///   - orderID: The current or first order of the subscription.
  ///   - price: The price of each period from the next renewal on.
  /// - Returns: False if there is no such subscription, or if it does not renew, or not with the same product.
  @discardableResult
  public func requestPriceIncrease(order orderID: String, to price: OnsidePrice) -> Bool {
    launch.changeLedger { $0.requestPriceIncrease(orderID, to: price) }
  }

  /// The price of a subscription's next period, without an increase that waits for consent. Nil if `orderID` is not the current or first
  /// order of a subscription.
  public func renewalPrice(order orderID: String) -> OnsidePrice? {
    let ledger = ledger
    guard let present = ledger.subscription(order: orderID), let order = ledger[present.orderID] else { return nil }
    return launch.renewalPrice(of: present, order)
  }

  /// The person consents to the pending price increase (`consentToPriceIncreaseForTransaction`). Returns false if none is pending.
  @discardableResult
  public func consentToPriceIncrease(order orderID: String) -> Bool {
    launch.changeLedger { $0.answerPriceIncrease(orderID, consents: true) }
  }

  /// The person declines the pending price increase (`declinePriceIncreaseForTransaction`): the subscription no longer renews. Returns false
  /// if none is pending.
  @discardableResult
  public func declinePriceIncrease(order orderID: String) -> Bool {
    launch.changeLedger { $0.answerPriceIncrease(orderID, consents: false) }
  }

  /// Cancels a subscription: it stays active until its period ends. `orderID` is its current or first order. Returns false if there is
  /// none.
  @discardableResult
  public func cancelSubscription(order orderID: String) -> Bool {
    launch.changeLedger { $0.setRenewal(false, ofSubscription: orderID) }
  }

  /// Makes a subscription renew by itself again, and so consents to a price increase that had ended it. `orderID` is its current or first
  /// order. Returns false if there is none.
  @discardableResult
  public func resumeSubscription(order orderID: String) -> Bool {
    launch.changeLedger { $0.setRenewal(true, ofSubscription: orderID) }
  }

  // MARK: Clearing

  /// Deletes an order, as if it had never been made. If it is the current order of a subscription, the subscription ends. The order's
  /// transactions leave the queues of all devices of the world. Returns false if there is no such order.
  @discardableResult
  public func deletePurchase(order orderID: String) -> Bool {
    guard launch.changeLedger({ $0.delete(orderID) }) else { return false }
    launch.dropTransactions(ofOrders: [orderID])
    return true
  }

  /// Deletes all orders and subscriptions, all transactions in the queue, and those of the orders on the other devices of the world.
  /// Everything else stays: the account, the settings, the app.
  public func clearTransactions() {
    for entry in defaultPaymentQueue().entries { defaultPaymentQueue().discard(entry.transaction.id) }
    let orders = Set(ledger.purchases.map(\.id))
    launch.changeLedger { $0 = OnsideLedger() }
    launch.dropTransactions(ofOrders: orders)
  }

  // MARK: Offers

  /// Checks that an account can buy a subscription with an offer of the catalogue. As in the App Store, present and former subscribers of
  /// the group get promotional offers, and former ones win-back offers.
  ///
  /// - Throws: ``OnsideOfferError``.
  public func checkOffer(
    _ offerID: String, of productIdentifier: String, account accountID: String
  ) throws(OnsideOfferError) {
    try launch.checkOffer(offerID, of: productIdentifier, account: accountID)
  }
}

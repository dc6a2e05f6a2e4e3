public import BridgeCore

extension Onside {
  // MARK: Payment methods

  /// Shows the payment methods, after a login when nobody is signed in (bridge reference, "presentPaymentMethodsManager"). Whatever the
  /// person does there is a success.
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

  /// Takes note of a page that was opened; the session's first one decides the attribution.
  ///
  /// - Parameters:
  ///   - url: The page's URL on its site, with query.
  ///   - referrer: The page's `document.referrer`; empty when there is none.
  public func noteVisit(url: String, referrer: String) {
    guard launch.state.firstVisit == nil else { return }
    launch.state.firstVisit = OnsideVisit(url: url, referrer: referrer)
  }

  /// Where the install came from (bridge reference, "getAttributionMetadata"). Needs no login.
  public func attributionMetadata() async throws(OnsideAttributionMetadataError) -> OnsideAttributionMetadata {
    await launch.delay(.getAttributionMetadata)
    if let error = launch.takeError(of: .getAttributionMetadata, as: OnsideAttributionMetadataError.self) {
      throw error
    }
    return OnsideAttributionMetadata(refererURL: settings.refererURL ?? state.firstVisit?.refererURL)
  }

  // MARK: History

  /// Makes a request for the signed history of whoever is signed in; keep it until it has finished.
  ///
  /// - Throws: `notLoggedIn` or `notSupportedInLocalTesting`.
  public func makeSignedInAppsHistoryRequest() throws(OnsideSignedInAppsHistoryRequestError)
    -> OnsideSignedInAppsHistoryRequest
  {
    if let obstacle = launch.historyObstacle() { throw obstacle }
    return OnsideSignedInAppsHistoryRequest(launch: launch)
  }

  /// The `TransactionHistory` of one order, as the merchant API has it; nil when the session has no such order.
  public func transactionHistory(ofOrder orderID: String) -> JSONValue? {
    launch.advanceLedger()
    return state.ledger.history(
      ofOrder: orderID, bundleIdentifier: launch.configuration.bundleIdentifier,
      at: launch.clock.now.millisecondsSinceEpoch)
  }

  // MARK: Events

  /// Tracks an event by the rules of the contract; what was cut and dropped is in the result, and goes to ``onEventTracked``.
  @discardableResult
  public func trackEvent(name: String, parameters: [String: JSONValue] = [:]) -> OnsideTrackedEvent {
    let event = OnsideEventRules.apply(
      name: name, parameters: parameters, trackedAt: launch.clock.now.millisecondsSinceEpoch)
    onEventTracked?(event)
    return event
  }

  // MARK: The store's side

  /// The orders and subscriptions of all accounts, up to the present moment.
  public var ledger: OnsideLedger {
    launch.advanceLedger()
    return state.ledger
  }

  /// Refunds an order, as the store may at any time. False when there is no such order, or it was refunded before.
  ///
  /// - Parameter reason: The history's `revocation_reason`; the default's name is ours.
  @discardableResult
  public func refund(order orderID: String, reason: String = "REFUNDED") -> Bool {
    launch.advanceLedger()
    return launch.state.ledger.refund(orderID, at: launch.clock.now.millisecondsSinceEpoch, reason: reason)
  }

  /// Cancels a subscription: it lasts until its period ends. `orderID` is that of its present or first order. False when there is none.
  @discardableResult
  public func cancelSubscription(order orderID: String) -> Bool {
    launch.advanceLedger()
    return launch.state.ledger.cancelSubscription(orderID)
  }
}

import InAppPurchases
import BridgeCore
import BridgeRuntime
import Sessions

/// RevenueCat's SDK in one launch of an app: the plugin `Purchases` of purchases-capacitor 13.4.1, with the backend that knows whose a purchase
/// is. The store is that of the session.
@BridgeActor
final class RevenueCatHost: PresetHost {
  /// The names of the plugins in the page.
  nonisolated static let (plugin, paywalls) = ("Purchases", "RevenueCatUI")
  /// The maximum number of listeners of a page.
  private static let listenerLimit = 100

  /// A call of the page: what it is called with.
  struct Call {
    let body: JSONValue
    let page: DeclaredPage

    /// An option; nil if it is missing or null.
    subscript(name: String) -> JSONValue? { body["options"]?[name].flatMap { $0 == .null ? nil : $0 } }

    /// The text of an option.
    func text(_ name: String) throws(RevenueCatError) -> String {
      guard let text = self[name]?.stringValue else { throw .missing(name) }
      return text
    }
  }

  let session: DeclaredSession
  let options: RevenueCatOptions
  /// Whether a page has configured the SDK in this launch.
  private(set) var isConfigured = false
  /// Whether the app finishes transactions itself.
  private var appFinishes = false
  private var listening: InAppListening?
  /// The callbacks of pages that want to hear of changes of the customer's information.
  private var listeners: [(page: DeclaredPage, callback: String)] = []
  private var hasInformation = false
  /// The promotional offers that pages have got, by the time of their signature.
  var promotionalOffers: [Double: String] = [:]

  init(_ options: RevenueCatOptions, _ session: DeclaredSession) {
    self.options = options
    self.session = session
  }

  func closed(_ page: DeclaredPage) { listeners.removeAll { $0.page === page } }

  func ended() {
    listening?.end()
    listeners = []
  }

  // MARK: Calls

  func handle(
    _ name: String, _ body: JSONValue, from page: DeclaredPage, _ responder: (any BridgeResponder)?
  ) -> Bool {
    let parts = name.split(separator: ".", maxSplits: 1)
    guard parts.count == 2 else { return false }
    let call = Call(body: body, page: page)
    let method = String(parts[1])
    switch String(parts[0]) {
    case Self.paywalls: return answer(responder) { () throws(RevenueCatError) in try self.paywall(method, call) }
    case Self.plugin: break
    default: return false
    }
    if let answered = handleAtOnce(method, call, responder) { return answered }
    guard let work = work(of: method) else { return false }
    BridgeActor.begin { [self] in
      do throws(RevenueCatError) {
        guard isConfigured else { throw .notConfigured }
        let value = try await work(call)
        responder?.respond(status: .success, data: ["value": value], error: nil)
      } catch {
        reject(responder, error)
      }
    }
    return true
  }

  /// Answers a call that takes no time; nil if it is none of these.
  private func handleAtOnce(_ method: String, _ call: Call, _ responder: (any BridgeResponder)?) -> Bool? {
    switch method {
    case "configure": answer(responder) { () throws(RevenueCatError) in try self.configure(call) }
    case "isConfigured": answer(responder) { ["isConfigured": .bool(self.isConfigured)] }
    case "addCustomerInfoUpdateListener": listen(call, responder)
    case "removeCustomerInfoUpdateListener":
      answer(responder) { () throws(RevenueCatError) in try self.removeListener(call) }
    case "setLogHandler", "addShouldPurchasePromoProductListener":
      // A callback that is never called.
      respondNothing(responder)
    case "removeShouldPurchasePromoProductListener": answer(responder) { ["wasRemoved": true] }
    case "purchaseSubscriptionOption", "syncObserverModeAmazonPurchase":
      answer(responder) { () throws(RevenueCatError) in throw RevenueCatError("iOS does not have this call.") }
    case "parseAsWebPurchaseRedemption": answer(responder) { ["webPurchaseRedemption": .null] }
    default:
      Self.quiet.contains(method)
        ? answer(responder) { () throws(RevenueCatError) in
          guard self.isConfigured || Self.needNoConfiguration.contains(method) else { throw .notConfigured }
          return [:]
        } : nil
    }
  }

  @discardableResult
  private func answer(
    _ responder: (any BridgeResponder)?, _ work: () throws(RevenueCatError) -> JSONValue
  ) -> Bool {
    do throws(RevenueCatError) {
      let value = try work()
      responder?.respond(status: .success, data: ["value": value], error: nil)
    } catch {
      reject(responder, error)
    }
    return true
  }

  private func respondNothing(_ responder: (any BridgeResponder)?) -> Bool {
    responder?.respond(status: .success, data: [:], error: nil)
    return true
  }

  private func reject(_ responder: (any BridgeResponder)?, _ error: RevenueCatError) {
    guard let responder else { return session.log("RevenueCat: \(error.message)") }
    DeclaredError(error.json).reject(responder)
  }

  // MARK: Configuration

  private func configure(_ call: Call) throws(RevenueCatError) -> JSONValue {
    guard !(try call.text("apiKey")).isEmpty else { throw .configuration("the API key is empty.") }
    let mode = call["purchasesAreCompletedBy"]
    appFinishes = (mode?.stringValue ?? mode?["type"]?.stringValue) == "MY_APP"
    isConfigured = true
    if let id = call["appUserID"]?.stringValue, !id.isEmpty {
      try check(id)
      changeCustomers { $0.logIn(id, at: session.now.millisecondsSinceEpoch) }
    }
    if listening == nil { listening = session.store?.listen { [weak self] in self?.heard($0) } }
    // What the app has not finished is sent to the backend when it starts.
    for transaction in session.store?.unfinished ?? [] { deliver(transaction) }
    tellListeners()
    return [:]
  }

  func check(_ id: String) throws(RevenueCatError) {
    guard !id.allSatisfy(\.isWhitespace), id.utf8.count <= PresetCustomers.longestID else {
      throw RevenueCatError(code: 14, "The app user id is empty or too long.")
    }
  }

  // MARK: The customer

  /// The id of an anonymous user.
  func newAnonymousID() -> String { "$RCAnonymousID:" + session.randomHexadecimal() }

  /// Changes the users of the app. They begin with an anonymous one.
  @discardableResult
  func changeCustomers<Result>(_ change: (inout PresetCustomers) -> Result) -> Result {
    var customers =
      PresetCustomers(session.storedPreset)
      ?? PresetCustomers(anonymous: newAnonymousID(), at: session.now.millisecondsSinceEpoch)
    defer { session.storedPreset = customers.json }
    return change(&customers)
  }

  /// What the present user has.
  var information: RevenueCatCustomerInfo {
    let customers = changeCustomers { $0 }
    let own = (session.store?.transactions ?? []).filter { customers.isOwn($0.originalID) }
    return RevenueCatCustomerInfo(
      own, entitlements: options.entitlements, customer: customers.present, now: session.now)
  }

  /// Gives a transaction to the present user, and finishes it.
  func deliver(_ transaction: InAppTransaction) {
    changeCustomers { $0.own(transaction.originalID) }
    if !appFinishes, !transaction.isFinished { try? session.store?.finish(transaction.id) }
  }

  /// Gives all transactions of the account to the present user, as a restore does.
  func deliverAll() {
    for transaction in session.store?.transactions ?? [] { deliver(transaction) }
  }

  // MARK: Listeners

  private func listen(_ call: Call, _ responder: (any BridgeResponder)?) -> Bool {
    guard let callback = call.body["callbackId"]?.stringValue, listeners.count < Self.listenerLimit else {
      return respondNothing(responder)
    }
    listeners.append((call.page, callback))
    // What the SDK has got before is told at once.
    return hasInformation ? answer(responder) { self.information.json } : respondNothing(responder)
  }

  private func removeListener(_ call: Call) throws(RevenueCatError) -> JSONValue {
    let callback = try call.text("listenerToRemove")
    let count = listeners.count
    listeners.removeAll { $0.page === call.page && $0.callback == callback }
    return ["wasRemoved": .bool(listeners.count < count)]
  }

  /// The information may have changed: tells the listeners.
  func tellListeners() {
    hasInformation = true
    if listeners.isEmpty { return }
    let information = information.json
    for (page, callback) in listeners {
      let result: JSONValue = [
        "callbackId": .string(callback), "pluginId": .string(Self.plugin),
        "methodName": "addCustomerInfoUpdateListener", "success": true, "save": true, "data": information,
      ]
      if let event = DeclaredEvent.call([.string("Capacitor.fromNative")], [result]) { page.send(event) }
    }
  }

  private func heard(_ notice: InAppNotice) {
    if let transaction = notice.transaction, notice.kind == .purchased { deliver(transaction) }
    tellListeners()
  }

  // MARK: Without an effect

  private static let needNoConfiguration: Set<String> = [
    "setLogLevel", "setProxyURL", "setMockWebResults", "setSimulatesAskToBuyInSandbox", "setFinishTransactions",
  ]

  /// The calls that resolve with nothing. Attributes are in the journal, with the message.
  private static let quiet: Set<String> = needNoConfiguration.union([
    "collectDeviceIdentifiers", "enableAdServicesAttributionTokenCollection", "invalidateCustomerInfoCache",
    "invalidateVirtualCurrenciesCache", "overridePreferredUILocale", "presentCodeRedemptionSheet", "setAd",
    "setAdGroup", "setAdjustID", "setAirshipChannelID", "setAppsflyerID", "setAttributes", "setCampaign",
    "setCleverTapID", "setCreative", "setDisplayName", "setEmail", "setFBAnonymousID", "setFirebaseAppInstanceID",
    "setKeyword", "setMediaSource", "setMixpanelDistinctID", "setMparticleID", "setOnesignalID",
    "setOnesignalUserID", "setPhoneNumber", "setPushToken", "showInAppMessages", "trackCustomPaywallImpression",
  ])

  /// The calls of paywalls, in an app without any.
  private func paywall(_ method: String, _ call: Call) throws(RevenueCatError) -> JSONValue {
    switch method {
    case "presentPaywallIfNeeded":
      let entitlement = try call.text("requiredEntitlementIdentifier")
      return ["result": information.has(entitlement) ? "NOT_PRESENTED" : "ERROR"]
    case "presentPaywall": return ["result": "ERROR"]
    default: return [:]
    }
  }
}

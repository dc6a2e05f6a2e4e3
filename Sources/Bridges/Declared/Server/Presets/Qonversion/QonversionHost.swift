import InAppPurchases
import BridgeCore
import BridgeRuntime
import BridgeServer
import Sessions

extension PresetReader {
  /// Qonversion's SDK as a plugin of Capacitor (`@qonversion/capacitor-plugin` 1.8.0, `QonversionPlugin.swift`).
  static let qonversion = PresetReader(
    wire: "capacitor",
    read: { members throws(OptionError) in
      let options = try QonversionOptions(members)
      return { QonversionHost(options, $0) }
    },
    keys: QonversionOptions.keys,
    plugins: [QonversionHost.plugin: QonversionHost.methods.map { PluginMethod(name: $0, result: "promise") }])
}

/// Qonversion's SDK in one launch of an app: the plugin `Qonversion`, and the backend that knows whose a purchase is. The store is that of the
/// session.
@BridgeActor
final class QonversionHost: PresetHost {
  /// The name of the plugin in the page.
  nonisolated static let plugin = "Qonversion"

  /// A call of the page.
  struct Call {
    let method: String
    let body: JSONValue
    let page: DeclaredPage

    /// An option; nil if it is missing or null.
    subscript(name: String) -> JSONValue? { body["options"]?[name].flatMap { $0 == .null ? nil : $0 } }

    /// The text of an option.
    func text(_ name: String) throws(QonversionError) -> String {
      guard let text = self[name]?.stringValue else { throw .missing }
      return text
    }
  }

  let session: DeclaredSession
  let options: QonversionOptions
  /// Whether a page has initialized the SDK in this launch.
  private var isInitialized = false
  private var events = CapacitorEvents(of: plugin)
  private var listening: InAppListening?

  init(_ options: QonversionOptions, _ session: DeclaredSession) {
    self.options = options
    self.session = session
  }

  func closed(_ page: DeclaredPage) { events.forget(page) }

  func ended() { listening?.end() }

  func handle(
    _ name: String, _ body: JSONValue, from page: DeclaredPage, _ responder: (any BridgeResponder)?
  ) -> Bool {
    guard name.hasPrefix("\(Self.plugin).") else { return false }
    let call = Call(method: String(name.dropFirst(Self.plugin.count + 1)), body: body, page: page)
    if events.take(call.method, body, from: page) {
      responder?.respond(status: .success, data: [:], error: nil)
      return true
    }
    guard Self.methods.contains(call.method) else { return false }
    BridgeActor.begin { [self] in
      do throws(QonversionError) {
        responder?.respond(status: .success, data: ["value": try await answer(call)], error: nil)
      } catch {
        guard let responder else { return session.log("Qonversion: \(error.message)") }
        DeclaredError(error.rejection).reject(responder)
      }
    }
    return true
  }

  private func answer(_ call: Call) async throws(QonversionError) -> JSONValue {
    switch call.method {
    case "storeSdkInfo": return [:]
    case "initialize": return try initialize(call)
    default: break
    }
    guard isInitialized else { throw .notInitialized }
    if let value = try await answerOfStore(call) { return value }
    return try answerOfUser(call)
  }

  private func initialize(_ call: Call) throws(QonversionError) -> JSONValue {
    _ = (try call.text("projectKey"), try call.text("launchMode"))
    if isInitialized { return [:] }
    isInitialized = true
    listening = session.store?.listen { [weak self] in self?.heard($0) }
    for transaction in session.store?.unfinished ?? [] { deliver(transaction) }
    return [:]
  }

  private func heard(_ notice: InAppNotice) {
    if let transaction = notice.transaction, notice.kind == .purchased {
      deliver(transaction)
      events.send("deferredPurchaseCompletedEvent", result(of: transaction))
    }
    tellEntitlements()
  }

  // MARK: The user

  /// What the present user has.
  var entitlements: JSONValue {
    let customers = changeUsers { $0.customers }
    let own = (session.store?.transactions ?? []).filter { customers.isOwn($0.originalID) }
    return QonversionEntitlements(options, own, now: session.now).json
  }

  /// Tells the page's listeners what the present user has.
  func tellEntitlements() { events.send("entitlementsUpdatedEvent", entitlements) }

  /// Gives a transaction to the present user, and finishes it.
  func deliver(_ transaction: InAppTransaction) {
    changeUsers { $0.own(transaction.originalID) }
    if !transaction.isFinished { try? session.store?.finish(transaction.id) }
  }

  /// The result of a purchase.
  func result(of transaction: InAppTransaction) -> JSONValue {
    [
      "status": "Success", "entitlements": entitlements, "isFallbackGenerated": false, "source": "Api",
      "storeTransaction": transaction.qonversionStoreTransaction,
    ]
  }

  @discardableResult
  private func changeUsers<Result, Failure: Error>(
    _ change: (inout QonversionUsers) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var users =
      QonversionUsers(session.storedPreset)
      ?? QonversionUsers(first: session.randomHexadecimal(), at: session.now.millisecondsSinceEpoch)
    defer { session.storedPreset = users.stored }
    return try change(&users)
  }

  private func answerOfUser(_ call: Call) throws(QonversionError) -> JSONValue {
    let (id, now) = (session.randomHexadecimal(), session.now.millisecondsSinceEpoch)
    switch call.method {
    case "userInfo": return changeUsers { $0.json }
    case "identify":
      let user = try call.text("userId")
      try changeUsers { users throws(QonversionError) in try users.identify(user, new: id, at: now) }
      tellEntitlements()
      return changeUsers { $0.json }
    case "logout": changeUsers { $0.logOut(new: id, at: now) }
    case "setDefinedUserProperty", "setCustomUserProperty":
      let (property, value) = (try call.text("property"), try call.text("value"))
      let key = call.method == "setCustomUserProperty" ? property : Self.properties[property]
      if let key { changeUsers { $0.set(key, value) } }
    case "userProperties": return ["properties": .array(changeUsers { $0.ownProperties })]
    case "remoteConfig": return try remoteConfig(call["contextKey"]?.stringValue ?? "")
    case "remoteConfigList":
      let keys = call["contextKeys"]?.arrayValue?.compactMap(\.stringValue)
      let wanted = keys.map { $0 + (call["includeEmptyContextKey"] == true ? [""] : []) }
      let found = options.remoteConfigs.keys.sorted().filter { wanted?.contains($0) ?? true }
      return ["remoteConfigs": .array(try found.map { key throws(QonversionError) in try remoteConfig(key) })]
    case "attachUserToExperiment", "detachUserFromExperiment", "attachUserToRemoteConfiguration",
      "detachUserFromRemoteConfiguration":
      return ["success": true]
    case "isFallbackFileAccessible": return ["success": false]
    default: break  // The others resolve, and have no effect.
    }
    return [:]
  }

  private func remoteConfig(_ key: String) throws(QonversionError) -> JSONValue {
    guard let payload = options.remoteConfigs[key] else {
      throw QonversionError("RemoteConfigurationNotAvailable", "There is no remote configuration for this key.")
    }
    let name = JSONValue.string(key.isEmpty ? "default" : key)
    var source: [String: JSONValue] = [
      "id": name, "name": name, "type": "remote_configuration", "assignmentType": "auto",
    ]
    if !key.isEmpty { source["contextKey"] = .string(key) }
    return ["payload": .object(payload), "source": .object(source)]
  }

  /// The methods of the plugin.
  nonisolated static let methods = [
    "addAttributionData", "attachUserToExperiment", "attachUserToRemoteConfiguration", "checkEntitlements",
    "checkTrialIntroEligibility", "collectAdvertisingId", "collectAppleSearchAdsAttribution",
    "detachUserFromExperiment", "detachUserFromRemoteConfiguration", "forceSendProperties", "getPromotionalOffer",
    "identify", "initialize", "invalidateRemoteConfigsCache", "isFallbackFileAccessible", "logout", "offerings",
    "presentCodeRedemptionSheet", "products", "promoPurchase", "purchase", "remoteConfig", "remoteConfigList",
    "restore", "setCustomUserProperty", "setDefinedUserProperty", "storeSdkInfo", "syncHistoricalData",
    "syncStoreKit2Purchases", "userInfo", "userProperties",
  ]

  /// The keys of the defined properties in the backend.
  private static let properties = [
    "AdjustAdId": "_q_adjust_adid", "AdvertisingId": "_q_advertising_id",
    "AppMetricaDeviceId": "_q_appmetrica_device_id", "AppMetricaUserProfileId": "_q_appmetrica_user_profile_id",
    "AppSetId": "_q_app_set_id", "AppsFlyerUserId": "_q_appsflyer_user_id", "CustomUserId": "_q_custom_user_id",
    "Email": "_q_email", "FacebookAttribution": "_q_fb_attribution",
    "FirebaseAppInstanceId": "_q_firebase_instance_id", "KochavaDeviceId": "_q_kochava_device_id", "Name": "_q_name",
    "PushWooshHwId": "_q_pushwoosh_hwid", "PushWooshUserId": "_q_pushwoosh_user_id",
    "TenjinAnalyticsInstallationId": "_q_tenjin_aiid",
  ]
}

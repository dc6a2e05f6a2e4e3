import InAppPurchases
import BridgeCore
import BridgeRuntime
import BridgeServer
import Sessions

extension PresetReader {
  /// Adapty's SDK as a plugin of Capacitor (`@adapty/capacitor` 3.17.1).
  static let adapty = PresetReader(
    wire: "capacitor",
    read: { members throws(OptionError) in
      let options = try AdaptyOptions(members)
      return { AdaptyHost(options, $0) }
    },
    keys: AdaptyOptions.keys,
    plugins: [AdaptyHost.plugin: [PluginMethod(name: "handleMethodCall", result: "promise")]])
}

/// Adapty's SDK in one launch of an app: the plugin of `@adapty/capacitor`, whose only method takes requests as JSON text, and the backend that
/// knows profiles and paywalls. The store is that of the session.
@BridgeActor
final class AdaptyHost: PresetHost {
  /// The name of the plugin in the page.
  nonisolated static let plugin = "AdaptyCapacitorPlugin"

  let session: DeclaredSession
  let options: AdaptyOptions
  /// Whether a page has activated the SDK in this launch.
  private var isActivated = false
  /// Whether the app finishes transactions itself.
  private var isObserver = false
  private var logLevel = "info"
  /// The token of the app for purchases.
  private(set) var appAccountToken: String?
  private var events = CapacitorEvents(of: plugin, areRetained: true)
  private var listening: InAppListening?

  init(_ options: AdaptyOptions, _ session: DeclaredSession) {
    self.options = options
    self.session = session
  }

  func closed(_ page: DeclaredPage) { events.forget(page) }

  func ended() { listening?.end() }

  func handle(
    _ name: String, _ body: JSONValue, from page: DeclaredPage, _ responder: (any BridgeResponder)?
  ) -> Bool {
    guard name.hasPrefix("\(Self.plugin).") else { return false }
    let method = String(name.dropFirst(Self.plugin.count + 1))
    guard method == "handleMethodCall" else {
      guard events.take(method, body, from: page) else { return false }
      responder?.respond(status: .success, data: [:], error: nil)
      return true
    }
    guard let called = body["options"]?["methodName"]?.stringValue else {
      if let responder { DeclaredError(["message": "methodName is required"]).reject(responder) }
      return true
    }
    let text = body["options"]?["args"]?.stringValue ?? "{}"
    let request = AdaptyRequest(method: called, members: (try? JSONValue(parsing: text)) ?? .null, page: page)
    BridgeActor.begin { [self] in
      let result: JSONValue
      do throws(AdaptyError) {
        result = ["success": try await answer(request)]
      } catch {
        result = ["error": error.json]
      }
      responder?.respond(status: .success, data: ["value": ["crossPlatformJson": .string(result.jsonText)]], error: nil)
    }
    return true
  }

  private func answer(_ request: AdaptyRequest) async throws(AdaptyError) -> JSONValue {
    switch request.method {
    case "activate": return try activate(request)
    case "is_activated": return .bool(isActivated)
    case "get_sdk_version": return "3.17.2"
    case "get_log_level": return .string(logLevel)
    case "set_log_level":
      logLevel = try request.text("value")
      return true
    case "set_fallback", "set_fallback_paywalls": return true
    default: break
    }
    guard isActivated else { throw .notActivated }
    if let value = try await answerOfStore(request) { return value }
    if let value = try answerOfProfile(request) { return value }
    throw .decoding("known method: \(request.method.prefix(100))")
  }

  private func activate(_ request: AdaptyRequest) throws(AdaptyError) -> JSONValue {
    guard let configuration = request.members["configuration"], let key = configuration["api_key"]?.stringValue,
      !key.isEmpty
    else { throw .decoding("api_key") }
    if isActivated { throw .activatedTwice }
    if let user = configuration["customer_user_id"]?.stringValue { try identify(user, configuration) }
    isActivated = true
    isObserver = configuration["observer_mode"] == true
    listening = session.store?.listen { [weak self] in self?.heard($0) }
    for transaction in session.store?.unfinished ?? [] { deliver(transaction) }
    tellProfile()
    return true
  }

  private func heard(_ notice: InAppNotice) {
    if let transaction = notice.transaction, notice.kind == .purchased { deliver(transaction) }
    tellProfile()
  }

  /// Finishes a transaction, which the backend has got.
  func deliver(_ transaction: InAppTransaction) {
    if !isObserver, !transaction.isFinished { try? session.store?.finish(transaction.id) }
  }

  // MARK: The profile

  /// The present profile.
  var profile: JSONValue {
    AdaptyProfile(changeProfiles { $0 }, options, session.store?.transactions ?? [], now: session.now).json
  }

  /// Tells the page's listeners the present profile.
  func tellProfile() {
    let event: JSONValue = ["id": "did_load_latest_profile", "profile": profile]
    events.send("did_load_latest_profile", ["data": .string(event.jsonText)])
  }

  @discardableResult
  private func changeProfiles<Result, Failure: Error>(
    _ change: (inout AdaptyProfiles) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var profiles =
      AdaptyProfiles(session.storedPreset)
      ?? AdaptyProfiles(first: session.randomUUID(), at: session.now.millisecondsSinceEpoch)
    defer { session.storedPreset = profiles.json }
    return try change(&profiles)
  }

  private func identify(_ user: String, _ members: JSONValue?) throws(AdaptyError) {
    let (id, now) = (session.randomUUID(), session.now.millisecondsSinceEpoch)
    try changeProfiles { profiles throws(AdaptyError) in try profiles.identify(user, new: id, at: now) }
    let parameters = members?["customer_identity_parameters"] ?? members?["parameters"]
    appAccountToken = parameters?["app_account_token"]?.stringValue.flatMap {
      $0.utf8.count <= InAppPurchase.tokenLimit ? $0 : nil
    }
  }

  /// Answers a request about the user; nil if it is none.
  private func answerOfProfile(_ request: AdaptyRequest) throws(AdaptyError) -> JSONValue? {
    switch request.method {
    case "get_profile": return profile
    case "identify":
      try identify(try request.text("customer_user_id"), request.members)
      tellProfile()
    case "logout":
      let (id, now) = (session.randomUUID(), session.now.millisecondsSinceEpoch)
      changeProfiles { $0.logOut(new: id, at: now) }
      appAccountToken = nil
      tellProfile()
    case "update_profile":
      guard let parameters = request.members["params"]?.objectValue else { throw .decoding("params") }
      let attributes = parameters["custom_attributes"]?.objectValue ?? [:]
      try changeProfiles { profiles throws(AdaptyError) in try profiles.set(attributes) }
    case "get_current_installation_status": return ["status": "not_available"]
    case "set_integration_identifiers", "update_attribution_data", "update_collecting_refund_data_consent",
      "update_refund_preference", "log_show_paywall", "log_show_onboarding", "present_code_redemption_sheet":
      break
    default: return nil
    }
    return true
  }
}

/// A request of the page.
struct AdaptyRequest {
  let method: String
  let members: JSONValue
  let page: DeclaredPage

  /// The text of a member.
  func text(_ name: String) throws(AdaptyError) -> String {
    guard let text = members[name]?.stringValue else { throw .decoding(name) }
    return text
  }
}

public import BridgeRuntime

/// The state that outlives a launch. A store keeps it, and the session's next launch receives it.
public struct OnsideState: Sendable, Hashable, Codable {
  /// The session's settings.
  @Shared public var settings: OnsideSettings
  /// The account that is signed in.
  public internal(set) var account: OnsideAccount?
  /// The countries that accounts have moved to at run time, by account id.
  public internal(set) var movedAccounts: [String: String] = [:]
  /// Whether the storefront of the account that is signed in is not available.
  public internal(set) var isStorefrontAway = false
  /// The orders of all accounts.
  public var ledger = OnsideLedger()
  /// The world that the session shares with other devices; nil for a world of its own.
  public internal(set) var world: OnsideWorldMark?
  /// The transactions that the app has not finished, oldest first.
  public var transactions = SharedList<QueuedTransaction>()
  /// The first visit of a page.
  public internal(set) var firstVisit: OnsideVisit?
  /// What pages have set and loaded in the current launch.
  @Shared public var launch = OnsideLaunchState()
  /// The same of an earlier launch, until one of its pages comes back.
  @Shared public var formerLaunch: OnsideLaunchState?

  /// The state of a new session.
  public init(settings: OnsideSettings) {
    self.settings = settings
  }

  /// Decodes a state. What an older store lacks is as in a new session.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    settings = try container.decode(OnsideSettings.self, forKey: .settings)
    account = try container.decodeIfPresent(OnsideAccount.self, forKey: .account)
    func read<Value: Decodable>(_ key: CodingKeys, _ value: inout Value) throws {
      value = try container.decodeIfPresent(Value.self, forKey: key) ?? value
    }
    try read(.movedAccounts, &movedAccounts)
    try read(.isStorefrontAway, &isStorefrontAway)
    try read(.ledger, &ledger)
    world = try container.decodeIfPresent(OnsideWorldMark.self, forKey: .world)
    try read(.transactions, &transactions)
    firstVisit = try container.decodeIfPresent(OnsideVisit.self, forKey: .firstVisit)
    try read(.launch, &launch)
    formerLaunch = try container.decodeIfPresent(OnsideLaunchState.self, forKey: .formerLaunch)
  }

  /// Whether the state must outlast the pages of a session that began as `new`: it has an account, an order, a transaction or a setting.
  /// What pages have set in a launch, and the first visit, need not last.
  public func isLasting(since new: OnsideState) -> Bool {
    !transactions.isEmpty || ledger != new.ledger || account != new.account || settings != new.settings
      || movedAccounts != new.movedAccounts || isStorefrontAway != new.isStorefrontAway
  }

  /// Prepares a new launch. Keeps what pages had set in the earlier one, in case one of them comes back.
  mutating func beginLaunch() {
    let finishing = transactions.filter { $0.stage == .finishing }.map(\.transaction)
    if !finishing.isEmpty {
      launch.removals += finishing
      transactions.removeAll { $0.stage == .finishing }
    }
    if launch == OnsideLaunchState() { return }
    if let formerLaunch { launch.takeOver(formerLaunch) }
    formerLaunch = launch
    launch = OnsideLaunchState()
  }
}

/// What pages have set and loaded in one launch. It ends with the launch. Exception: if the server is killed, its pages outlive the launch.
public struct OnsideLaunchState: Sendable, Hashable, Codable {
  /// The theme of native sheets.
  var appearance = OnsideUIThemeMode.auto
  /// Whether the login sheet leaves out federated methods.
  var shouldForceLocalLoginMethods = false
  /// The country that a page assumes while nobody is signed in; empty for none.
  var countryCodeAssumption = ""
  /// The products that pages have loaded, by identifier. `purchase` looks them up here.
  var loadedProducts: [String: OnsideProduct] = [:]
  /// The accounts with a restore in progress, oldest first.
  var restores: [String] = []
  /// The transactions that were leaving the queue when the launch ended.
  var removals: [OnsidePaymentTransaction] = []

  /// The state of a new launch.
  public init() {}

  /// Takes over the state of an earlier launch. Values of this launch take precedence.
  mutating func takeOver(_ former: OnsideLaunchState) {
    let usual = OnsideLaunchState()
    if appearance == usual.appearance { appearance = former.appearance }
    if !shouldForceLocalLoginMethods { shouldForceLocalLoginMethods = former.shouldForceLocalLoginMethods }
    if countryCodeAssumption.isEmpty { countryCodeAssumption = former.countryCodeAssumption }
    loadedProducts.merge(former.loadedProducts) { own, _ in own }
    restores = former.restores + restores
    removals = former.removals + removals
  }
}

public import BridgeRuntime

/// The state that outlives a launch. A store keeps it, and the session's next launch receives it.
public struct OnsideState: Sendable, Hashable, Codable {
  /// The session's settings.
  @Shared public var settings: OnsideSettings
  /// The account that is signed in.
  public internal(set) var account: OnsideAccount?
  /// The countries that accounts have moved to at run time, by account id.
  public internal(set) var movedAccounts: [String: String] = [:]
  /// The orders of all accounts.
  public var ledger = OnsideLedger()
  /// The transactions that the app has not finished, oldest first.
  public var transactions = SharedList<QueuedTransaction>()
  /// The first visit of a page.
  public internal(set) var firstVisit: OnsideVisit?
  /// What pages have told the current launch.
  @Shared public var launch = OnsideLaunchState()
  /// What they had told an earlier launch, until one of its pages comes back.
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
    try read(.ledger, &ledger)
    try read(.transactions, &transactions)
    firstVisit = try container.decodeIfPresent(OnsideVisit.self, forKey: .firstVisit)
    try read(.launch, &launch)
    formerLaunch = try container.decodeIfPresent(OnsideLaunchState.self, forKey: .formerLaunch)
  }

  /// Whether the state must outlast the pages of a session that began as `new`: it has an account, an order, a transaction or a setting.
  /// What pages have told a launch, and the first visit, need not last.
  public func isLasting(since new: OnsideState) -> Bool {
    !transactions.isEmpty || ledger != new.ledger || account != new.account || settings != new.settings
      || movedAccounts != new.movedAccounts
  }

  /// Prepares a new launch. What the earlier one was told is kept in case one of its pages comes back.
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

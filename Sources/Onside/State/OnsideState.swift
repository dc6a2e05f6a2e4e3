/// What outlives a launch: a store keeps it, and the session's next launch is given it.
public struct OnsideState: Sendable, Hashable, Codable {
  /// The session's settings.
  public var settings: OnsideSettings
  /// The account that is signed in.
  public internal(set) var account: OnsideAccount?
  /// Countries that accounts moved to at run time, by account id.
  public internal(set) var movedAccounts: [String: String] = [:]
  /// The orders of all accounts.
  public internal(set) var ledger = OnsideLedger()
  /// The transactions that the app has not finished, oldest first.
  public internal(set) var transactions: [QueuedTransaction] = []
  /// The page that was visited first.
  public internal(set) var firstVisit: OnsideVisit?

  /// The state of a session that was never launched.
  public init(settings: OnsideSettings) {
    self.settings = settings
  }
}

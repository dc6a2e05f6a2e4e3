import Onside

/// What outlives a session's launch: what the store keeps, and the next launch is given.
struct SessionRecord: Sendable, Hashable {
  /// The store's side: settings, account, orders, transactions.
  var onside: OnsideState
  /// What is set about the session itself.
  var profile = SessionProfile()
}

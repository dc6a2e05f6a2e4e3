import BridgeRuntime
import Onside

/// What outlives a session's launch: what the store keeps, and the next launch is given.
struct SessionRecord: Sendable, Hashable {
  /// The store's side: settings, account, orders, transactions.
  @Shared var onside: OnsideState
  /// What is set about the session itself.
  @Shared var profile = SessionProfile()
}

import BridgeRuntime
package import OnsideKit

/// What outlives a session's launch: what the store keeps, and the next launch is given.
package struct SessionRecord: Sendable, Hashable {
  /// The store's side: settings, account, orders, transactions.
  @Shared var onside: OnsideState
  /// What is set about the session itself.
  @Shared var profile = SessionProfile()

  package init(onside: OnsideState, profile: SessionProfile = SessionProfile()) {
    self.onside = onside
    self.profile = profile
  }
}

extension SessionRecord {
  /// Whether something is here that must outlast the pages of a session that began as `new`.
  func isLasting(since new: SessionRecord) -> Bool {
    onside.isLasting(since: new.onside) || profile.isLasting(since: new.profile)
  }
}

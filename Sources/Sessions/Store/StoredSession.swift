import Essentials

/// The stored part of one session.
struct StoredSession: Sendable {
  /// The state that outlives a launch.
  let record: SessionRecord
  /// The pages that had not ended, by id.
  let pages: [String: PageRecord]
  /// The time of the last use that the store knows; nil if the session does not come from a store.
  var lastUse: Date?
}

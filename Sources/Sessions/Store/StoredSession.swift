import Essentials

/// What a store has of one session.
struct StoredSession: Sendable {
  /// What outlives a launch.
  let record: SessionRecord
  /// The pages that had not ended, by id.
  let pages: [String: PageRecord]
  /// When the session was used last, as far as the store knows; nil for one that does not come from a store.
  var lastUse: Date?
}

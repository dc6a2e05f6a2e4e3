/// What a store has of one session.
struct StoredSession: Sendable {
  /// What outlives a launch.
  let record: SessionRecord
  /// The pages that had not ended, by id.
  let pages: [String: PageRecord]
}

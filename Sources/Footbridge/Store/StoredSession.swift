import Foundation

/// What a store has of one session.
struct StoredSession: Sendable {
  /// What outlives a launch.
  let record: SessionRecord
  /// The content of the other parts.
  let parts: [SessionChange.Part: Data]
  /// The pages that had not ended, by id.
  let pages: [String: PageRecord]
}

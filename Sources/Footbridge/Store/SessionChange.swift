import Foundation

/// What a store is to keep of one session, all of it or nothing.
struct SessionChange: Sendable {
  /// A durable part of a session that the store knows by name alone.
  enum Part: String, Sendable {
    /// The cookies that no script sees.
    case cookies
  }

  /// The session's key.
  let key: String
  /// What the store has since the last change; nil with the first change of a launch, which leaves nothing as it was.
  let former: SessionRecord?
  /// What it is to have; nil forgets the session.
  let record: SessionRecord?
  /// The content of parts that have changed. It is made on the store's thread.
  var parts: [Part: @Sendable () throws -> Data] = [:]
  /// What pages were told and have asked.
  var pages: [PageJournal] = []
  /// The ids of pages that have ended.
  var endedPages: [String] = []
}

/// What a store is to keep of one session, all of it or nothing.
struct SessionChange: Sendable {
  /// The session's key.
  let key: String
  /// What the store has since the last change; nil with the first change of a launch, which leaves nothing as it was.
  let former: SessionRecord?
  /// What it is to have; nil forgets the session.
  let record: SessionRecord?
  /// Whether the session outlasts its pages.
  var isLasting = true
  /// Whether the store has that otherwise.
  var isLastingAnew = false
  /// What pages were told and have asked.
  var pages: [PageChange] = []
  /// The ids of pages that have ended.
  var endedPages: [String] = []
}

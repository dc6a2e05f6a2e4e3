/// A change of one session for the store. It is stored completely or not at all.
struct SessionChange: Sendable {
  /// The session's key.
  let key: String
  /// The record after the last change; nil for the first change of a launch, which writes everything.
  let former: SessionRecord?
  /// The new record; nil deletes the session.
  let record: SessionRecord?
  /// Whether the session outlasts its pages.
  var isLasting = true
  /// Whether ``isLasting`` differs from what the store has.
  var isLastingAnew = false
  /// The messages to and from pages.
  var pages: [PageChange] = []
  /// The ids of pages that have ended.
  var endedPages: [String] = []
}

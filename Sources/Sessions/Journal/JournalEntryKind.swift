/// What kind of thing an entry of the journal tells. docs/control-api.md describes each.
public enum JournalEntryKind: String, Sendable, CaseIterable {
  /// The page asked the host.
  case request
  /// The host answered the page.
  case response
  /// The host told the page something.
  case event
  /// The host asked the page.
  case hostRequest
  /// The page answered the host.
  case pageResponse
  /// The page told the host something.
  case pageEvent
  /// A native sheet waits for its answer.
  case sheetOpened
  /// A sheet was answered.
  case sheetAnswered
  /// What the session keeps has changed.
  case store
  /// A rule, a gate or a policy has decided something.
  case decision
  /// A page came, listens, lost its socket or went.
  case page
  /// The control API has changed something.
  case control

  /// Whether a page has sent it.
  var isOfPage: Bool { self == .request || self == .pageResponse || self == .pageEvent }
}

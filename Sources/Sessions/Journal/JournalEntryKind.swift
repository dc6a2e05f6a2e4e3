/// The kind of an entry of the journal. docs/control-api.md describes each.
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
  /// The stored state of the session has changed.
  case store
  /// A rule, a gate or a policy has decided something.
  case decision
  /// A page opened, connected, lost its socket or ended.
  case page
  /// The control API has changed something.
  case control

  /// Whether a page has sent it.
  var isOfPage: Bool { self == .request || self == .pageResponse || self == .pageEvent }
}

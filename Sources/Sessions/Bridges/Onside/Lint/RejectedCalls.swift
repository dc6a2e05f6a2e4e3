/// The calls of one page that were rejected, so that an error that nobody catches is found to be theirs (L10). Pure.
struct RejectedCalls {
  /// A call.
  struct Call: Equatable {
    /// The function, such as `onside.purchase`.
    let action: String
    /// Its cursor in the journal.
    let cursor: Int?
  }

  /// The maximum number of calls that are remembered. Browsers report an error that nobody catches at once.
  static let limit = 50

  private var recent: [(code: String, call: Call?)] = []

  /// A call was rejected with this error. It is nil if a rule of a test has done that, and not the host.
  mutating func rejected(_ call: Call?, code: String) {
    recent.append((code, call))
    if recent.count > Self.limit { recent.removeFirst() }
  }

  /// An error with this code was not caught. Returns the call that it was of; nil if it is of none that the host has rejected by itself.
  mutating func uncaught(code: String) -> Call? {
    // Browsers report it soon, so it is of the latest one.
    recent.lastIndex { $0.code == code }.flatMap { recent.remove(at: $0).call }
  }
}

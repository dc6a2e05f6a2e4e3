import BridgeRuntime

/// The rule about transactions that have ended and are not finished (L01): those that a page knows of, and since when. Pure.
struct UnfinishedTransactions {
  /// How long a page may take to finish a transaction before it is worth a warning.
  static let patience = Duration.seconds(30)
  /// How long a page may take before it is blamed at the end of the session: it may have been told just before.
  static let grace = SessionLint.grace

  private struct Entry {
    /// On the session's clock.
    let since: BridgeInstant
    /// On the server's clock.
    let toldAt: BridgeInstant
    var isReported = false
  }

  private var entries: [String: Entry] = [:]

  /// Whether nothing waits to be finished.
  var isEmpty: Bool { entries.isEmpty }

  /// A page knows that a transaction has ended.
  mutating func ended(_ id: String, at now: BridgeInstant, toldAt: BridgeInstant) {
    if entries[id] == nil { entries[id] = Entry(since: now, toldAt: toldAt) }
  }

  /// A transaction was finished, or has left the queue.
  mutating func finished(_ id: String) {
    entries[id] = nil
  }

  /// When the next one has waited too long, on the session's clock; nil if none will.
  var nextDeadline: BridgeInstant? {
    entries.values.filter { !$0.isReported }.map(\.since).min()?.advanced(by: Self.patience)
  }

  /// Those that have waited too long, each once, in the order of their ids.
  mutating func overdue(at now: BridgeInstant) -> [String] {
    let ids = entries.filter { !$1.isReported && $1.since.advanced(by: Self.patience) <= now }.keys.sorted()
    for id in ids { entries[id]?.isReported = true }
    return ids
  }

  /// Those that are left at the end, each once. `now` is on the server's clock.
  mutating func leftOver(at now: BridgeInstant) -> [String] {
    let ids = entries.filter { $1.toldAt.duration(to: now) >= Self.grace }.keys.sorted()
    for id in ids { entries[id] = nil }
    return ids
  }
}

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
    /// The entry of the journal that has ended it.
    let cause: Int?
    var isReported = false
  }

  private var entries: [String: Entry] = [:]

  /// The ids of those that wait to be finished.
  var ids: some Collection<String> { entries.keys }

  /// A page knows that a transaction has ended, by what an entry of the journal has caused.
  mutating func ended(_ id: String, at now: BridgeInstant, toldAt: BridgeInstant, cause: Int?) {
    if entries[id] == nil { entries[id] = Entry(since: now, toldAt: toldAt, cause: cause) }
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
  mutating func overdue(at now: BridgeInstant) -> [(id: String, cause: Int?)] {
    let found = entries.filter { !$1.isReported && $1.since.advanced(by: Self.patience) <= now }.sorted {
      $0.key < $1.key
    }
    for (id, _) in found { entries[id]?.isReported = true }
    return found.map { ($0.key, $0.value.cause) }
  }

  /// Those that are left at the end, each once. `now` is on the server's clock.
  mutating func leftOver(at now: BridgeInstant) -> [(id: String, cause: Int?)] {
    let found = entries.filter { $1.toldAt.duration(to: now) >= Self.grace }.sorted { $0.key < $1.key }
    for (id, _) in found { entries[id] = nil }
    return found.map { ($0.key, $0.value.cause) }
  }
}

package import BridgeCore
package import BridgeRuntime

/// Waits for a journal entry that matches a pattern: an existing one or a new one.
@BridgeActor
package final class JournalWait {
  /// The result of a wait.
  package enum End {
    /// The entry, and the cursor from which to search for the next one.
    case found(JSONValue, next: Int)
    /// No matching entry came in time. These have the fewest differences.
    case timedOut([NearestMisses.Miss])
    /// The journal has ended.
    case ended(Journal.Ending)
  }

  private var search: NearestMisses
  private var continuation: CheckedContinuation<End, Never>?
  private var observer: JournalObserver?

  /// Creates a wait for an entry that matches.
  package init(until pattern: JSONPattern) {
    search = NearestMisses(entries: pattern)
  }

  /// Waits for the first matching entry after a cursor, at most for `timeout`. This time is on the machine's clock, since the caller is
  /// outside of the session.
  package func run(_ journal: Journal, after cursor: Int, timeout: Duration) async -> End {
    for entry in journal.entries(after: cursor, limit: .max).entries {
      if let end = end(entry) { return end }
    }
    let alarm = Task {
      do { try await Task.sleep(for: timeout) } catch { return }
      finish(.timedOut(search.misses))
    }
    defer { alarm.cancel() }
    return await withCheckedContinuation { continuation in
      self.continuation = continuation
      observer = journal.onAppend { [weak self, unowned journal] entry in
        guard let self else { return }
        guard let entry else { return finish(.ended(journal.ending ?? .deleted)) }
        if let end = end(entry) { finish(end) }
      }
    }
  }

  private func end(_ entry: JournalEntry) -> End? {
    let json = entry.json
    return search.matches(json) ? .found(json, next: entry.cursor) : nil
  }

  private func finish(_ end: End) {
    observer = nil
    continuation?.resume(returning: end)
    continuation = nil
  }
}

/// A reader that follows a journal. It ends when it is released.
@BridgeActor
package final class JournalObserver {
  private let stop: @BridgeActor () -> Void

  init(_ stop: @escaping @BridgeActor () -> Void) {
    self.stop = stop
  }

  /// Ends the observer now.
  package func cancel() {
    stop()
  }

  deinit {
    Task { @BridgeActor [stop] in stop() }
  }
}

extension Journal {
  /// Returns the entries after a cursor that match a pattern, oldest first, and the entries with the fewest differences.
  package func entries(
    matching pattern: JSONPattern, after cursor: Int
  ) -> (entries: [JSONValue], nearest: [NearestMisses.Miss]) {
    var search = NearestMisses(entries: pattern)
    var found: [JSONValue] = []
    for entry in entries(after: cursor, limit: .max).entries {
      let json = entry.json
      if search.matches(json) { found.append(json) }
    }
    return (found, search.misses)
  }
}

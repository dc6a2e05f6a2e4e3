import BridgeRuntime

/// Limits lines of a log that repeat: writes the first one, then at most one in each interval, with the number of times.
struct RateLimitedLines {
  private struct Entry {
    var lastLine: BridgeInstant
    var unwritten = 0
  }

  /// The shortest time between two lines of the same text, in milliseconds.
  private let interval: Double
  private var entries: [String: Entry] = [:]

  init(interval: Duration) {
    self.interval = interval.milliseconds
  }

  /// Counts an event that `text` describes. There are only a few such texts.
  ///
  /// - Returns: Nil to write no line; otherwise the number of events since the last line.
  mutating func count(_ text: String, at now: BridgeInstant) -> Int? {
    guard var entry = entries[text] else {
      entries[text] = Entry(lastLine: now)
      return 1
    }
    entry.unwritten += 1
    defer { entries[text] = entry }
    guard now.millisecondsSinceEpoch - entry.lastLine.millisecondsSinceEpoch >= interval else { return nil }
    let count = entry.unwritten
    entry = Entry(lastLine: now)
    return count
  }
}

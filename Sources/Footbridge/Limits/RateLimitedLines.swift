import BridgeRuntime

/// Which lines of a log are written when the same thing happens over and over: the first, and then one in a while, with how often it was.
struct RateLimitedLines {
  private struct Entry {
    var lastLine: BridgeInstant
    var unwritten = 0
  }

  /// How long after a line the next one of its kind is written at the earliest, in milliseconds.
  private let interval: Double
  private var entries: [String: Entry] = [:]

  init(interval: Duration) {
    self.interval = interval.milliseconds
  }

  /// What `text` says has happened, one of a few texts. Returns nil when no line is to be written, else how often it has happened since the
  /// last one.
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

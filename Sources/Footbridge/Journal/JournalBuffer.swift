import DequeModule

/// The latest entries of a journal, bounded in number and in bytes. Pure.
struct JournalBuffer {
  /// How many entries are kept.
  static let entryLimit = 10_000
  /// How many bytes of messages are kept.
  static let byteLimit = 8 << 20
  /// What an entry counts for besides its message, in bytes.
  static let entryOverhead = 200

  private var entries = Deque<JournalEntry>()
  private var byteCount = 0

  /// The cursor of the entry that comes next.
  private(set) var nextCursor = 1

  /// Adds the entry whose cursor is ``nextCursor``. The oldest make room.
  mutating func append(_ entry: JournalEntry) {
    nextCursor += 1
    entries.append(entry)
    byteCount += entry.byteCount + Self.entryOverhead
    while entries.count > Self.entryLimit || (byteCount > Self.byteLimit && entries.count > 1) {
      byteCount -= entries.removeFirst().byteCount + Self.entryOverhead
    }
  }

  /// The entries after a cursor, oldest first: at most so many, of one kind if there is one. `next` is where to go on, `dropped` how many
  /// there were after the cursor that are gone.
  func page(
    after cursor: Int,
    limit: Int,
    kind: JournalEntry.Kind? = nil
  ) -> (entries: [JournalEntry], next: Int, dropped: Int) {
    let oldest = nextCursor - entries.count
    var index = max(cursor + 1 - oldest, 0)
    var found: [JournalEntry] = []
    var next = min(max(cursor, 0), nextCursor - 1)
    while index < entries.count, found.count < limit {
      let entry = entries[index]
      if kind == nil || entry.kind == kind { found.append(entry) }
      next = entry.cursor
      index += 1
    }
    return (found, next, max(oldest - 1 - max(cursor, 0), 0))
  }
}

/// The latest entries of a journal, bounded in number and in bytes. Pure.
struct JournalBuffer {
  /// How many entries are kept.
  static let entryLimit = 10_000
  /// How many bytes of messages are kept.
  static let byteLimit = 8 << 20
  /// What an entry counts for besides its message, in bytes.
  static let entryOverhead = 200

  private var entries: [(entry: JournalEntry, byteCount: Int)] = []
  private var first = 0
  private var byteCount = 0

  /// The cursor of the entry that comes next.
  private(set) var nextCursor = 1

  /// Adds an entry, whose message has about so many bytes. The oldest make room.
  mutating func append(byteCount: Int, _ make: (_ cursor: Int) -> JournalEntry) -> JournalEntry {
    let entry = make(nextCursor)
    nextCursor += 1
    let count = byteCount + Self.entryOverhead
    entries.append((entry, count))
    self.byteCount += count
    while entries.count - first > Self.entryLimit || (self.byteCount > Self.byteLimit && entries.count - first > 1) {
      self.byteCount -= entries[first].byteCount
      // What makes room goes at once, not when the array is next moved.
      entries[first] = (entries[first].entry.emptied, 0)
      first += 1
    }
    if first > 64, first > entries.count / 2 {
      entries.removeFirst(first)
      first = 0
    }
    return entry
  }

  /// The entries after a cursor, oldest first: at most so many, of one kind if there is one. `next` is where to go on, `dropped` how many
  /// there were after the cursor that are gone.
  func page(
    after cursor: Int,
    limit: Int,
    kind: JournalEntry.Kind? = nil
  ) -> (entries: [JournalEntry], next: Int, dropped: Int) {
    let oldest = nextCursor - (entries.count - first)
    var index = first + max(cursor + 1 - oldest, 0)
    var found: [JournalEntry] = []
    var next = min(max(cursor, 0), nextCursor - 1)
    while index < entries.count, found.count < limit {
      let entry = entries[index].entry
      if kind == nil || entry.kind == kind { found.append(entry) }
      next = entry.cursor
      index += 1
    }
    return (found, next, max(oldest - 1 - max(cursor, 0), 0))
  }
}

extension JournalEntry {
  /// The entry without what it tells.
  fileprivate var emptied: JournalEntry {
    JournalEntry(cursor: cursor, time: time, kind: kind, page: nil, cause: nil, content: .members([:]))
  }
}

import DequeModule

/// The latest entries of a journal, bounded in number and in bytes. Pure.
///
/// Two are added for each call, nearly all of them texts, and nobody may ever read them: what is kept of an entry are a few numbers, to which
/// nothing need be done when it goes.
struct JournalBuffer {
  /// How many entries are kept.
  static let entryLimit = 10_000
  /// How many bytes of messages are kept.
  static let byteLimit = 8 << 20
  /// What an entry counts for besides its message, in bytes.
  static let entryOverhead = 200

  /// An entry, whose cursor follows from its place among the others.
  private struct Record {
    let time: Double
    /// The cursor of the cause; 0 for none.
    let cause: Int
    let byteCount: Int
    /// Where the text stands; nil when the content is one of ``contents``.
    let text: JournalTexts.Place?
    /// The number of the page; 0 for none, and with a content that names it.
    let page: Int
    let kind: JournalEntry.Kind
  }

  private var records = Deque<Record>()
  private var texts = JournalTexts()
  /// What is no text.
  private var contents = Deque<(cursor: Int, page: String?, content: JournalEntry.Content)>()
  private var byteCount = 0

  /// The cursor of the entry that comes next.
  private(set) var nextCursor = 1

  /// Adds the text of a message as the entry whose cursor is ``nextCursor``. The oldest entries make room.
  mutating func append(
    _ kind: JournalEntry.Kind, time: Double, page: PageName, cause: Int?, text: UnsafeBufferPointer<UInt8>
  ) {
    append(
      Record(
        time: time, cause: cause ?? 0, byteCount: text.count, text: texts.append(text), page: page.number, kind: kind))
  }

  /// Adds an entry whose cursor is ``nextCursor``. The oldest make room.
  mutating func append(
    _ kind: JournalEntry.Kind, time: Double, page: String?, cause: Int?, _ content: JournalEntry.Content, byteCount: Int
  ) {
    contents.append((nextCursor, page, content))
    append(Record(time: time, cause: cause ?? 0, byteCount: byteCount, text: nil, page: 0, kind: kind))
  }

  private mutating func append(_ record: Record) {
    nextCursor += 1
    records.append(record)
    byteCount += record.byteCount + Self.entryOverhead
    while records.count > Self.entryLimit || (byteCount > Self.byteLimit && records.count > 1) { removeOldest() }
  }

  private mutating func removeOldest() {
    let cursor = oldestCursor
    let record = records.removeFirst()
    byteCount -= record.byteCount + Self.entryOverhead
    if let text = record.text {
      texts.forget(before: text.piece)
    } else if contents.first?.cursor == cursor {
      contents.removeFirst()
    }
  }

  private var oldestCursor: Int { nextCursor - records.count }

  /// The entries after a cursor, oldest first: at most so many, of one kind if there is one. `next` is where to go on, `dropped` how many
  /// there were after the cursor that are gone.
  func page(
    after cursor: Int,
    limit: Int,
    kind: JournalEntry.Kind? = nil
  ) -> (entries: [JournalEntry], next: Int, dropped: Int) {
    let oldest = oldestCursor
    // From a client it may be any number.
    let cursor = min(max(cursor, 0), nextCursor - 1)
    var index = max(cursor + 1 - oldest, 0)
    var found: [JournalEntry] = []
    var next = cursor
    while index < records.count, found.count < limit {
      let record = records[index]
      next = oldest + index
      if kind == nil || record.kind == kind { found.append(entry(record, cursor: next)) }
      index += 1
    }
    return (found, next, max(oldest - 1 - cursor, 0))
  }

  /// The entry that was added last; nil before the first.
  var last: JournalEntry? { records.last.map { entry($0, cursor: nextCursor - 1) } }

  private func entry(_ record: Record, cursor: Int) -> JournalEntry {
    let (page, content) =
      record.text.map { (PageName(number: record.page).description, .text(texts.bytes($0))) }
      ?? content(at: cursor)
    return JournalEntry(
      cursor: cursor, time: record.time, kind: record.kind, page: page, cause: record.cause == 0 ? nil : record.cause,
      content: content)
  }

  /// What is no text, by the cursor of its entry.
  private func content(at cursor: Int) -> (page: String?, JournalEntry.Content) {
    var range = contents.indices
    while let first = range.first {
      let middle = first + range.count / 2
      if contents[middle].cursor == cursor { return (contents[middle].page, contents[middle].content) }
      range = contents[middle].cursor < cursor ? (middle + 1)..<range.upperBound : first..<middle
    }
    return (nil, .members([:]))
  }
}

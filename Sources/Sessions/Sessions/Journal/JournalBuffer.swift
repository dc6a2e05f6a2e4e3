import BridgeCore
import DequeModule

/// The latest entries of a journal, limited in number and size.
package struct JournalBuffer: ~Copyable {
  /// The maximum number of entries that readers get.
  package static let entryLimit = 10_000
  /// The maximum size of all messages, in bytes.
  static let byteLimit = 8 << 20
  /// The assumed size of an entry without its message, in bytes.
  static let entryOverhead = 200

  /// The chunk that is being filled, and the earlier ones, oldest first.
  private var current: JournalChunk
  private var full = Deque<JournalChunk>()
  /// The size of the entries of ``full`` that counts for the limits, and the memory that they use, in bytes.
  private var fullWeight = 0
  private var fullByteCount = 0

  /// The cursor of the first entry.
  let firstCursor: Int

  /// An empty buffer.
  init(firstCursor: Int = 1) {
    self.firstCursor = firstCursor
    current = JournalChunk(firstCursor: firstCursor, after: nil)
  }

  /// The cursor of the next entry.
  var nextCursor: Int { current.firstCursor + current.records.count }

  /// The memory that is in use, in bytes.
  var usedByteCount: Int { fullByteCount + current.usedByteCount }

  /// Adds an entry with a text, which is that of a message or has the members of the entry. Its cursor is ``nextCursor``. Drops the oldest
  /// entries if there is no room.
  mutating func append(
    _ kind: JournalEntry.Kind, time: Double, page: PageName?, cause: Int?, _ form: JournalChunk.Form,
    text: UnsafeBufferPointer<UInt8>
  ) {
    makeRoom(for: text.count)
    current.append(record(kind, time: time, page: page, cause: cause, form), text)
  }

  /// Adds an entry. Its cursor is ``nextCursor``. Drops the oldest entries if there is no room.
  mutating func append(
    _ kind: JournalEntry.Kind, time: Double, page: PageName?, cause: Int?, _ content: JournalEntry.Content,
    byteCount: Int
  ) {
    makeRoom(for: byteCount)
    current.append(record(kind, time: time, page: page, cause: cause, .other), content, byteCount: byteCount)
  }

  private func record(
    _ kind: JournalEntry.Kind, time: Double, page: PageName?, cause: Int?, _ form: JournalChunk.Form
  ) -> JournalChunk.Record {
    let distance = cause.flatMap { UInt32(exactly: nextCursor - $0) } ?? 0
    return JournalChunk.Record(
      time: time, causeDistance: distance, page: UInt32(clamping: page?.number ?? 0), kind: kind, form: form)
  }

  /// Begins a chunk if the current one is full. Then frees the oldest ones if there are too many entries for the limits.
  private mutating func makeRoom(for byteCount: Int) {
    if current.isFull(for: byteCount) {
      let next = JournalChunk(firstCursor: nextCursor, after: current)
      fullWeight += current.weight
      fullByteCount += current.usedByteCount
      full.append(current)
      current = next
    }
    while let next = full.dropFirst().first?.firstCursor ?? (full.isEmpty ? nil : current.firstCursor),
      fullWeight + current.weight + byteCount + Self.entryOverhead > Self.byteLimit
        || nextCursor - next >= Self.entryLimit
    {
      removeFirst()
    }
  }

  private mutating func removeFirst() {
    let chunk = full.removeFirst()
    fullWeight -= chunk.weight
    fullByteCount -= chunk.usedByteCount
  }

  /// Frees the oldest chunk. Does not free the current one if it is in use. Returns false if there is no chunk to free.
  mutating func removeOldest(isInUse: Bool) -> Bool {
    if !full.isEmpty {
      removeFirst()
      return true
    }
    guard !isInUse, !current.records.isEmpty else { return false }
    current = JournalChunk(firstCursor: nextCursor, after: nil)
    return true
  }

  /// The cursor of the oldest entry that readers get.
  private var oldest: Int { max((full.first ?? current).firstCursor, nextCursor - Self.entryLimit) }

  /// Returns entries after a cursor, oldest first, up to a limit, and of one kind if it is set. `next` is the cursor to continue from;
  /// `dropped` is the number of entries after the cursor that were dropped. After a cursor that this journal has not given, such as one of
  /// the session's journal at another server, all entries count.
  func page(
    after cursor: Int,
    limit: Int,
    kind: JournalEntry.Kind? = nil
  ) -> (entries: [JournalEntry], next: Int, dropped: Int) {
    let oldest = oldest
    // The cursor comes from a client, and can be any number.
    let cursor = (firstCursor..<nextCursor).contains(cursor) ? cursor : firstCursor - 1
    let first = max(cursor + 1, oldest)
    var found: [JournalEntry] = []
    // Skip dropped entries, so that they are reported only once.
    var next = first - 1
    for chunk in chunks(from: first) {
      for index in chunk.records.indices.dropFirst(max(first - chunk.firstCursor, 0)) where found.count < limit {
        if kind == nil || chunk.records[index].kind == kind { found.append(chunk.entry(at: index)) }
        next = chunk.firstCursor + index
      }
    }
    return (found, next, max(oldest - 1 - cursor, 0))
  }

  /// Returns the chunks with entries from this cursor on.
  private func chunks(from cursor: Int) -> [JournalChunk] {
    let chunks = Array(full) + [current]
    return Array(chunks[(chunks.lastIndex { $0.firstCursor <= cursor } ?? 0)...])
  }

  /// The latest entry; nil if there is none.
  var latest: JournalEntry? {
    guard let chunk = current.records.isEmpty ? full.last : current else { return nil }
    return chunk.entry(at: chunk.records.count - 1)
  }
}

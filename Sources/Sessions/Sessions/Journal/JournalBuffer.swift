import BridgeCore
import DequeModule

/// The latest entries of a journal, limited in number and size.
///
/// Each call adds two entries, and often nobody reads them. So entries are written one after another into shared pieces of memory, which
/// are freed as a whole. If each entry had its own memory, freeing it would be slow, since it is no longer in the processor's cache.
package struct JournalBuffer: ~Copyable {
  /// The maximum number of entries that readers get.
  package static let entryLimit = 10_000
  /// The maximum size of all messages, in bytes.
  static let byteLimit = 8 << 20
  /// The assumed size of an entry without its message, in bytes.
  static let entryOverhead = 200

  /// The piece that is being filled, and the earlier ones, oldest first.
  private var current: JournalPiece?
  private var full = Deque<JournalPiece>()
  /// The offset of the latest record in ``current``.
  private var latestOffset = 0
  /// The size of the entries of all pieces, in bytes.
  private var byteCount = 0
  /// The approximate memory in bytes: of the pieces and of ``contents``.
  private(set) var heldByteCount = 0
  /// The contents that are not text.
  private var contents = Deque<(cursor: Int, page: String?, content: JournalEntry.Content)>()

  /// The cursor of the first entry.
  let firstCursor: Int
  /// The cursor of the next entry.
  private(set) var nextCursor: Int

  /// An empty buffer.
  init(firstCursor: Int = 1) {
    self.firstCursor = firstCursor
    nextCursor = firstCursor
  }

  /// Adds the text of a message. Its cursor is ``nextCursor``. Drops the oldest entries if there is no room.
  mutating func append(
    _ kind: JournalEntry.Kind, time: Double, page: PageName, cause: Int?, text: UnsafeBufferPointer<UInt8>
  ) {
    let record = JournalRecord(
      time: time, causeDistance: distance(to: cause), page: UInt32(clamping: page.number),
      byteCount: UInt32(clamping: text.count), textCount: UInt32(clamping: text.count), kind: kind, isText: true)
    append(record, text)
  }

  /// Adds an entry. Its cursor is ``nextCursor``. Drops the oldest entries if there is no room.
  mutating func append(
    _ kind: JournalEntry.Kind, time: Double, page: String?, cause: Int?, _ content: JournalEntry.Content, byteCount: Int
  ) {
    contents.append((nextCursor, page, content))
    heldByteCount += byteCount
    let record = JournalRecord(
      time: time, causeDistance: distance(to: cause), page: 0, byteCount: UInt32(clamping: byteCount), textCount: 0,
      kind: kind, isText: false)
    append(record, UnsafeBufferPointer(start: nil, count: 0))
  }

  private func distance(to cause: Int?) -> UInt32 { cause.flatMap { UInt32(exactly: nextCursor - $0) } ?? 0 }

  private mutating func append(_ record: JournalRecord, _ text: UnsafeBufferPointer<UInt8>) {
    latestOffset = current?.count ?? 0
    if current?.append(record, text) != true { begin(record, text) }
    nextCursor += 1
    byteCount += record.weight
    if byteCount > Self.byteLimit { makeRoom() }
  }

  /// Adds a record that does not fit into the current piece.
  private mutating func begin(_ record: JournalRecord, _ text: UnsafeBufferPointer<UInt8>) {
    let next = JournalPiece(firstCursor: nextCursor, after: current, for: record.stride)
    _ = next.append(record, text)
    if let current { full.append(current) }
    current = next
    heldByteCount += next.capacity
    latestOffset = 0
    makeRoom()
  }

  /// Frees the oldest pieces if there are too many, or if readers no longer get their entries.
  private mutating func makeRoom() {
    while let piece = full.first, let next = full.dropFirst().first ?? current,
      byteCount > Self.byteLimit || nextCursor - next.firstCursor >= Self.entryLimit
    {
      full.removeFirst()
      release(piece, before: next.firstCursor)
    }
  }

  /// Frees the oldest piece. Does not free the current one if it is in use. Returns false if there is no piece to free.
  mutating func removeOldest(isInUse: Bool) -> Bool {
    if let piece = full.popFirst() {
      release(piece, before: (full.first ?? current)?.firstCursor ?? nextCursor)
      return true
    }
    guard let piece = current, !isInUse else { return false }
    current = nil
    release(piece, before: nextCursor)
    return true
  }

  /// Subtracts a piece from the totals and removes its contents that are not text.
  private mutating func release(_ piece: JournalPiece, before cursor: Int) {
    byteCount -= piece.weight
    heldByteCount -= piece.capacity + piece.contentByteCount
    while let first = contents.first, first.cursor < cursor { contents.removeFirst() }
  }

  /// The cursor of the oldest entry that readers get.
  private var oldest: Int {
    max((full.first ?? current)?.firstCursor ?? nextCursor, nextCursor - Self.entryLimit)
  }

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
    for piece in pieces(from: first) {
      var offset = 0
      var cursor = piece.firstCursor
      while offset < piece.count, found.count < limit {
        let record = piece.record(at: offset)
        if cursor >= first {
          if kind == nil || record.kind == kind { found.append(entry(record, of: piece, at: offset, cursor: cursor)) }
          next = cursor
        }
        offset += record.stride
        cursor += 1
      }
    }
    return (found, next, max(oldest - 1 - cursor, 0))
  }

  /// Returns the pieces with entries from this cursor on.
  private func pieces(from cursor: Int) -> [JournalPiece] {
    let pieces = Array(full) + [current].compactMap { $0 }
    return Array(pieces[(pieces.lastIndex { $0.firstCursor <= cursor } ?? 0)...])
  }

  /// The latest entry; nil if there is none.
  var latest: JournalEntry? {
    guard let current else { return nil }
    return entry(current.record(at: latestOffset), of: current, at: latestOffset, cursor: nextCursor - 1)
  }

  private func entry(_ record: JournalRecord, of piece: JournalPiece, at offset: Int, cursor: Int) -> JournalEntry {
    let (page, content) =
      record.isText
      ? (PageName(number: Int(record.page)).description, .text(piece.text(at: offset))) : content(at: cursor)
    return JournalEntry(
      cursor: cursor, time: record.time, kind: record.kind, page: page,
      cause: record.causeDistance == 0 ? nil : cursor - Int(record.causeDistance), content: content)
  }

  /// The content of an entry that is not text.
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

extension JSONValue {
  /// The approximate size of the value in memory, in bytes. If it has many small parts, this is far more than the size of its text.
  var occupiedByteCount: Int {
    switch self {
    case .null, .bool, .number: 32
    case .string(let text): 32 + text.utf8.count
    case .array(let elements): elements.reduce(64) { $0 + $1.occupiedByteCount }
    case .object(let members): members.reduce(64) { $0 + 64 + $1.key.utf8.count + $1.value.occupiedByteCount }
    }
  }
}

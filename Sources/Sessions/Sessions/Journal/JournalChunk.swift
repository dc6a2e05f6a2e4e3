/// Some entries of a journal that follow one another. They are freed together: each call adds two entries, and often nobody reads them.
struct JournalChunk {
  /// What an entry has besides its content.
  struct Record {
    /// The time of the entry, in milliseconds since the Unix epoch.
    let time: Double
    /// The distance to the entry that is its cause; 0 if there is none.
    let causeDistance: UInt32
    /// The number of its page; 0 if there is none.
    let page: UInt32
    let kind: JournalEntry.Kind
    let form: Form
  }

  /// Where the content of an entry is.
  enum Form {
    /// The text of a message, in ``texts``.
    case message
    /// The members of the entry as JSON text, in ``texts``. Dictionaries take five times as much memory.
    case members
    /// A value in ``contents``.
    case other
  }

  /// The limits of a chunk. They keep it small, so that only a part of the journal is dropped at once.
  private static let countLimit = 512
  private static let textLimit = 64 << 10
  private static let weightLimit = 512 << 10

  /// The cursor of the first entry.
  let firstCursor: Int
  private(set) var records: [Record] = []
  /// The end of each text in ``texts``. An entry that is no text has an empty one.
  private var ends: [UInt32] = []
  private var texts: [UInt8] = []
  /// The contents of the entries that are no text, by index.
  private var contents: [Int: JournalEntry.Content] = [:]
  /// The size of the contents, in bytes.
  private var contentByteCount = 0
  /// The size of the entries that counts for the limits, in bytes.
  private(set) var weight = 0

  /// Reserves as much memory as the previous chunk has used, so that quiet sessions take little.
  init(firstCursor: Int, after previous: JournalChunk?) {
    self.firstCursor = firstCursor
    guard let previous else { return }
    records.reserveCapacity(previous.records.count)
    ends.reserveCapacity(previous.records.count)
    texts.reserveCapacity(min(previous.texts.count, Self.textLimit))
  }

  /// The memory that is in use, in bytes. Up to as much again may be reserved.
  var usedByteCount: Int {
    records.count * (MemoryLayout<Record>.stride + MemoryLayout<UInt32>.stride) + texts.count + contentByteCount
  }

  /// Whether an entry with a text of this size belongs into the next chunk.
  func isFull(for byteCount: Int) -> Bool {
    guard !records.isEmpty else { return false }
    return records.count == Self.countLimit || texts.count + byteCount > Self.textLimit
      || weight + byteCount > Self.weightLimit
  }

  /// Adds a text.
  mutating func append(_ record: Record, _ text: UnsafeBufferPointer<UInt8>) {
    // The array would double its memory. A session with one purchase would keep 10 kB for 5 kB of texts.
    if texts.count + text.count > texts.capacity { texts.reserveCapacity(texts.count + texts.count / 4 + text.count) }
    texts.append(contentsOf: text)
    append(record, byteCount: text.count)
  }

  /// Adds an entry that is no text.
  mutating func append(_ record: Record, _ content: JournalEntry.Content, byteCount: Int) {
    contents[records.count] = content
    contentByteCount += byteCount
    append(record, byteCount: byteCount)
  }

  private mutating func append(_ record: Record, byteCount: Int) {
    records.append(record)
    ends.append(UInt32(clamping: texts.count))
    weight += byteCount + JournalBuffer.entryOverhead
  }

  /// Returns the entry at an index of ``records``.
  func entry(at index: Int) -> JournalEntry {
    let record = records[index]
    let cursor = firstCursor + index
    let page = record.page == 0 ? nil : PageName(number: Int(record.page)).description
    let content: JournalEntry.Content =
      switch record.form {
      case .message: .text(text(at: index))
      case .members: .members(text(at: index))
      case .other: contents[index] ?? .members([])
      }
    return JournalEntry(
      cursor: cursor, time: record.time, kind: record.kind, page: page,
      cause: record.causeDistance == 0 ? nil : cursor - Int(record.causeDistance), content: content)
  }

  private func text(at index: Int) -> [UInt8] {
    Array(texts[(index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index])])
  }
}

/// What is kept of an entry besides its content: numbers, to which nothing need be done when it goes.
struct JournalRecord {
  /// When it happened, in milliseconds since the Unix epoch.
  let time: Double
  /// How many entries ago its cause was; 0 when it has none.
  let causeDistance: UInt32
  /// The number of its page; 0 for none, and where the content names it.
  let page: UInt32
  /// How many bytes its message has, about.
  let byteCount: UInt32
  /// How many bytes of text follow the record.
  let textCount: UInt32
  let kind: JournalEntry.Kind
  /// Whether the content is the text that follows.
  let isText: Bool

  /// What the entry counts for where bytes are limited.
  var weight: Int { Int(byteCount) + JournalBuffer.entryOverhead }

  /// Where the next record is, in bytes after this one.
  var stride: Int { MemoryLayout<Self>.stride + (Int(textCount) + 7) & ~7 }
}

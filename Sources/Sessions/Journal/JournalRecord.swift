/// The part of an entry besides its content. It consists of numbers only, so that freeing it takes no work.
struct JournalRecord {
  /// When it happened, in milliseconds since the Unix epoch.
  let time: Double
  /// The distance to the entry that caused it; 0 if there is none.
  let causeDistance: UInt32
  /// The number of its page; 0 if there is none, or if the content names it.
  let page: UInt32
  /// The approximate size of its message in bytes.
  let byteCount: UInt32
  /// The size of the text after the record, in bytes.
  let textCount: UInt32
  let kind: JournalEntry.Kind
  /// Whether the content is the text that follows.
  let isText: Bool

  /// The size of the entry for the limits.
  var weight: Int { Int(byteCount) + JournalBuffer.entryOverhead }

  /// The distance to the next record in bytes.
  var stride: Int { MemoryLayout<Self>.stride + (Int(textCount) + 7) & ~7 }
}

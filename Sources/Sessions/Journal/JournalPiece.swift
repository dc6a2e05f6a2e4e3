/// A piece of memory with records of a journal, one after another, each followed by its text. Its content never changes, and it is freed as
/// a whole.
///
/// The fields needed to add a record are here. The memory's owner is in no cache of the processor.
struct JournalPiece {
  /// A session that does little has little; one that does much takes this much at a time, in bytes.
  static let smallest = 128
  private static let largest = 64 << 10
  /// The maximum size of a piece's records, in bytes, so that only a part of the journal is dropped at once.
  private static let weightLimit = 512 << 10

  /// The cursor of the first record.
  let firstCursor: Int
  /// The number of bytes written.
  private(set) var count = 0
  /// The size of the records, in bytes.
  private(set) var weight = 0
  /// The size of its contents that are not text, in bytes. They are stored elsewhere.
  private(set) var contentByteCount = 0

  /// The capacity in bytes.
  var capacity: Int { memory.count }

  private let memory: UnsafeMutableRawBufferPointer
  private let owner: JournalMemory

  /// Allocates memory for a record of `stride` bytes, and for more records if there is an earlier piece.
  init(firstCursor: Int, after previous: JournalPiece?, for stride: Int) {
    self.firstCursor = firstCursor
    let usual = min(previous.map { $0.memory.count * 4 } ?? Self.smallest, Self.largest)
    owner = JournalMemory(byteCount: max(usual, stride))
    memory = owner.bytes
  }

  /// Adds a record and its text. Returns false if there is no room.
  mutating func append(_ record: JournalRecord, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let weight = weight + record.weight
    guard memory.count - count >= record.stride, weight <= Self.weightLimit || count == 0 else { return false }
    self.weight = weight
    if !record.isText { contentByteCount += Int(record.byteCount) }
    memory.storeBytes(of: record, toByteOffset: count, as: JournalRecord.self)
    let start = count + MemoryLayout<JournalRecord>.stride
    UnsafeMutableRawBufferPointer(rebasing: memory[start..<(start + text.count)]).copyMemory(
      from: UnsafeRawBufferPointer(text))
    count += record.stride
    return true
  }

  /// The record at an offset. There must be one.
  func record(at offset: Int) -> JournalRecord {
    precondition(offset < count)
    return memory.load(fromByteOffset: offset, as: JournalRecord.self)
  }

  /// The text that follows the record at an offset.
  func text(at offset: Int) -> [UInt8] {
    let start = offset + MemoryLayout<JournalRecord>.stride
    return Array(memory[start..<(start + Int(record(at: offset).textCount))])
  }
}

/// Memory for records of a journal. It is freed when no piece uses it any more.
final class JournalMemory {
  let bytes: UnsafeMutableRawBufferPointer

  init(byteCount: Int) {
    bytes = .allocate(byteCount: byteCount, alignment: MemoryLayout<JournalRecord>.alignment)
  }

  deinit {
    bytes.deallocate()
  }
}

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
